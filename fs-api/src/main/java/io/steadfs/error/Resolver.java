package io.steadfs.error;

/** Who can do something about an {@link FsError}. */
public enum Resolver {
    /** Nobody needs to: the request was done. */
    NOBODY,
    /** The caller asked for what cannot be done; the same request fails again. */
    CALLER,
    /** The writer of a file lost its right to write it. */
    WRITER,
    /** The client: the same request, with the same request id, later. */
    RETRY,
    /** The client: with newer knowledge of what is where. */
    REFRESH,
    /** Somebody who keeps the servers. */
    OPERATOR
}
