package io.steadfs.ioserver.lease;

/** What the lease of a handle permits. */
public enum LeaseState {
    /** A first write may take the handle. */
    OPEN,
    /** No first write may take the handle; it is being found out whether a file has it. */
    REVOKING,
    /** The handle is in no lease, or its lease has ended. */
    NONE
}
