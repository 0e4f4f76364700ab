package io.steadfs.membership;

/**
 * What an operator says that a server may start with, though something of it is lost.
 *
 * @param emptyDirectory an empty data directory, in place of one that was lost with all that was in it
 * @param olderState a store that is an older state of itself
 */
public record Allowed(boolean emptyDirectory, boolean olderState) {
    public static final Allowed NOTHING = new Allowed(false, false);

    /**
     * Whether stores may be older than they were: those in a directory that is replaced are as old as can be.
     *
     * @param directory before the server is enrolled in it
     */
    public boolean acceptsLoss(DataDirectory directory) throws MembershipException {
        return olderState || (emptyDirectory && directory.identity().isEmpty());
    }
}
