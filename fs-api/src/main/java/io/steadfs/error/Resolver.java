package io.steadfs.error;

/** Who can act on an {@link FsError}. */
public enum Resolver {
    /** Nobody has to: the request was done. */
    NOBODY,
    /** The caller asked for something that cannot be done. The same request fails again. */
    CALLER,
    /** The writer of a file lost its right to write it. */
    WRITER,
    /** The client: it sends the same request, with the same request id, later. */
    RETRY,
    /** The client: it fetches newer knowledge of which server has what. */
    REFRESH,
    /** The operator of the servers. */
    OPERATOR
}
