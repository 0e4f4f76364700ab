package io.steadfs.membership;

import io.steadfs.store.mark.AcceptedLoss;

/**
 * The losses that an operator accepts for one start of a server.
 *
 * @param emptyDirectory whether the data directory may be empty although the server had one with data before
 * @param olderState whether a store may be an older copy, which lacks later changes
 */
public record Allowed(boolean emptyDirectory, boolean olderState) {
    public static final Allowed NOTHING = new Allowed(false, false);

    /**
     * The stores that may lack data when the server starts. If the operator accepts only an empty directory, only new
     * stores may lack data.
     */
    public AcceptedLoss acceptedLoss() {
        if (olderState) {
            return AcceptedLoss.OLDER_STORE;
        }
        return emptyDirectory ? AcceptedLoss.NEW_STORE : AcceptedLoss.NONE;
    }
}
