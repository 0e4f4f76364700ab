package io.steadfs.error;

/** Who can act on an {@link FsError}. */
public enum Resolver {
    /** Nobody has to act, because the request was done. */
    NOBODY,
    /** The caller asked for something that cannot be done. The same request fails again. */
    CALLER,
    /** The writer of a file lost its right to write it. */
    WRITER,
    /** The client can act by sending the same request later, with the same request id. */
    RETRY,
    /** The client can act by finding out again which server owns the object. */
    REFRESH,
    /** The operator of the servers can act. */
    OPERATOR
}
