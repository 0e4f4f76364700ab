package io.steadfs.ioserver.lease;

/** What the lease of a handle allows. */
public enum LeaseState {
    /** A first write may take the handle. */
    OPEN,
    /** It may not; whether a file has the handle is being found out. */
    REVOKING,
    /** The handle is in no lease, or its lease has ended. */
    NONE
}
