package io.steadfs.membership;

/**
 * The losses that an operator accepts when a server starts.
 *
 * @param emptyDirectory an empty data directory, in place of one that was lost with everything in it
 * @param olderState an older state of a store
 */
public record Allowed(boolean emptyDirectory, boolean olderState) {
    public static final Allowed NOTHING = new Allowed(false, false);

    /**
     * Whether stores may be older than they were. In a directory that replaces a lost one they always may be.
     *
     * @param directory before the server is enrolled in it
     */
    public boolean acceptsLoss(DataDirectory directory) throws MembershipException {
        return olderState || (emptyDirectory && directory.identity().isEmpty());
    }
}
