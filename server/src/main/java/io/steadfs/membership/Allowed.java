package io.steadfs.membership;

import io.steadfs.store.mark.AcceptedLoss;

/**
 * The losses that an operator accepts when a server starts.
 *
 * @param emptyDirectory an empty data directory, in place of one that was lost with everything in it
 * @param olderState an older state of a store
 */
public record Allowed(boolean emptyDirectory, boolean olderState) {
    public static final Allowed NOTHING = new Allowed(false, false);

    /** Which stores may lack something. With an empty directory only those that are new. */
    public AcceptedLoss acceptedLoss() {
        if (olderState) {
            return AcceptedLoss.OLDER_STORE;
        }
        return emptyDirectory ? AcceptedLoss.NEW_STORE : AcceptedLoss.NONE;
    }
}
