package io.steadfs.error;

import java.util.Optional;

/**
 * Every expected outcome of a request other than success. On the wire an outcome is a value in the reply, never an
 * exception. The codes are part of the wire format, so no code is ever reused.
 */
public enum FsError {
    OK(0, Resolver.NOBODY),

    NOT_FOUND(1, Resolver.CALLER),
    ALREADY_EXISTS(2, Resolver.CALLER),
    NOT_A_DIRECTORY(3, Resolver.CALLER),
    IS_A_DIRECTORY(4, Resolver.CALLER),
    NOT_EMPTY(5, Resolver.CALLER),
    PERMISSION_DENIED(6, Resolver.CALLER),
    INVALID_ARGUMENT(7, Resolver.CALLER),
    /** A component of the path has more than 255 bytes, or the path has too many components or bytes. */
    NAME_TOO_LONG(8, Resolver.CALLER),
    /** The rename would move the root, or would move a directory into itself or into its own subtree. */
    INVALID_RENAME(9, Resolver.CALLER),
    XATTR_NOT_FOUND(10, Resolver.CALLER),
    XATTR_EXISTS(11, Resolver.CALLER),
    /** Another session writes the file. */
    FILE_OPEN(12, Resolver.CALLER),
    /** The request names a version of the attributes, but the attributes have a newer version (test-and-set). */
    STALE_VERSION(13, Resolver.CALLER),
    /** A value is larger than a documented limit: an extended attribute, a page, or a payload. */
    TOO_LARGE(14, Resolver.CALLER),
    /** The server does not support the request. */
    NOT_SUPPORTED(15, Resolver.CALLER),
    /** The path goes through a symbolic link. The reply has the link's target and the rest of the path. */
    UNRESOLVED_LINK(16, Resolver.CALLER),

    /** The write generation in the request is too old, because recovery or another writer has raised it. */
    STALE_GENERATION(20, Resolver.WRITER),
    /** This session is not the file's writer. */
    NOT_WRITER(21, Resolver.WRITER),
    NO_SUCH_DATAFILE(22, Resolver.WRITER),
    /** The column already has another datafile, or the datafile belongs to another metafile. */
    ALREADY_ATTACHED(23, Resolver.WRITER),
    /** The write begins beyond the end of the datafile, because an earlier write did not arrive. */
    WRITE_GAP(24, Resolver.WRITER),
    /**
     * The session is unknown or has ended, or the recorded reply for the request id was removed. This try did not
     * execute the request.
     */
    SESSION_EXPIRED(25, Resolver.WRITER),
    /** A repeated write has other bytes than the stored bytes. */
    WRITE_CONFLICT(26, Resolver.WRITER),
    /**
     * The lease of a handle in the request has ended. No file gets that handle any more. Handles of other leases still
     * work.
     */
    LEASE_REVOKED(27, Resolver.WRITER),

    /**
     * The server cannot do the request now, and nothing was done. The possible reasons are:
     *
     * <ul>
     * <li>A bounded queue or another limit is full: of connections, sessions, files or leases.
     * <li>Another operation holds the name or the directory.
     * <li>The server must ask another shard, and that shard does not answer.
     * <li>The server waits for new handles or for a write generation.
     * </ul>
     *
     * The client makes this error too, if one of its own limits is full.
     */
    BUSY(30, Resolver.RETRY),
    /** The server is starting, stopping or fenced, or the server has closed an idle connection. Nothing was done. */
    UNAVAILABLE(31, Resolver.RETRY),
    /**
     * It is unknown whether the request was done. The client makes this error if the server did not answer in time. A
     * shard makes it if an earlier try of the request holds something at other shards, if what this try held was given
     * up, or if the shard stopped while it wrote its log.
     */
    TIMED_OUT(32, Resolver.RETRY),
    /**
     * The connection ended before the answer, so it is unknown whether the request was done. The client makes this
     * error.
     */
    CONNECTION_LOST(33, Resolver.RETRY),
    /** The client could not connect to the server, so nothing was done. The client makes this error. */
    UNREACHABLE(34, Resolver.RETRY),
    /** The request was cancelled before it began, or it arrived after its deadline. Nothing was done. */
    CANCELLED(35, Resolver.RETRY),
    /** The client or the server had no memory for the answer, so it is unknown whether the request was done. */
    NO_MEMORY(39, Resolver.RETRY),
    /**
     * The HELLO shows that another server answers at the address, or a server of another file system. Nothing was done.
     */
    WRONG_SERVER(36, Resolver.RETRY),
    /** The host name of the server's address is unknown. Nothing was done. The client makes this error. */
    UNKNOWN_HOST(37, Resolver.RETRY),
    /**
     * The process at the server's address does not speak SteadFS's protocol. Nothing was done. The client makes this
     * error.
     */
    NOT_STEADFS(38, Resolver.RETRY),

    /** The partition of the name is on another shard. The reply contains the partition map. */
    WRONG_PARTITION(40, Resolver.REFRESH),
    /** The path walk goes on at another shard. The reply names that shard. */
    CONTINUE(41, Resolver.REFRESH),
    /** A newer epoch changed the owner of the object that the request names. */
    STALE_EPOCH(42, Resolver.REFRESH),
    /** This server does not own the object that the request names. */
    NOT_OWNER(43, Resolver.REFRESH),
    /** The path walk was to go on from an object that no longer exists. The client must walk again from the root. */
    STALE_START(44, Resolver.REFRESH),

    NO_SPACE(50, Resolver.OPERATOR),
    /** Stored or sent bytes do not match their checksum. */
    CORRUPT(51, Resolver.OPERATOR),
    IO_ERROR(52, Resolver.OPERATOR),
    /** A frame or message cannot be decoded. */
    BAD_MESSAGE(53, Resolver.OPERATOR),
    UNSUPPORTED_VERSION(54, Resolver.OPERATOR),
    UNKNOWN_KIND(55, Resolver.OPERATOR),
    /** An invariant is broken, or the program has an error. The message says what is wrong. */
    FAULT(56, Resolver.OPERATOR);

    private static final FsError[] BY_CODE = new FsError[64];

    static {
        for (FsError error : values()) {
            if (BY_CODE[error.code] != null) {
                throw new IllegalStateException(error + " and " + BY_CODE[error.code] + " have the code " + error.code);
            }
            BY_CODE[error.code] = error;
        }
    }

    private final int code;
    private final Resolver resolver;

    FsError(int code, Resolver resolver) {
        this.code = code;
        this.resolver = resolver;
    }

    public int code() {
        return code;
    }

    /** Who can act on the error. */
    public Resolver resolver() {
        return resolver;
    }

    /** Whether a look at a path with this error means that nothing exists at the path. */
    public boolean isAbsence() {
        return this == NOT_FOUND || this == NOT_A_DIRECTORY;
    }

    /** Whether it is unknown if the request was executed. Only a retry with the same request id can find out. */
    public boolean outcomeUnknown() {
        return this == TIMED_OUT || this == CONNECTION_LOST || this == NO_MEMORY;
    }

    /** Whether the request was certainly not sent, because the server was not reached. */
    public boolean neverSent() {
        return this == UNREACHABLE || this == UNKNOWN_HOST || this == NOT_STEADFS;
    }

    /** Whether the client made the error because no answer came from the server. */
    public boolean isSilence() {
        return neverSent() || outcomeUnknown();
    }

    /** The error with this code; empty if this release does not know the code. */
    public static Optional<FsError> byCode(int code) {
        return code >= 0 && code < BY_CODE.length ? Optional.ofNullable(BY_CODE[code]) : Optional.empty();
    }
}
