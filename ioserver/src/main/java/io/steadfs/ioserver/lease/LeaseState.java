package io.steadfs.ioserver.lease;

/** Says what the lease of a handle permits. */
public enum LeaseState {
    /** A first write may take the handle. */
    OPEN,
    /** No first write may take the handle as long as the server does not know whether a file has the handle. */
    REVOKING,
    /** The handle is in no lease, or its lease has ended. */
    NONE
}
