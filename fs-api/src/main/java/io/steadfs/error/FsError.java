package io.steadfs.error;

import java.util.Optional;

/**
 * Every expected outcome of a request other than success. On the wire it is a value in the reply, never an exception. Codes are wire
 * format: they are never reused.
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
    /** A component above 255 bytes, a path with too many components or bytes. */
    NAME_TOO_LONG(8, Resolver.CALLER),
    /** A rename of a directory into itself or below itself, or of the root. */
    INVALID_RENAME(9, Resolver.CALLER),
    XATTR_NOT_FOUND(10, Resolver.CALLER),
    XATTR_EXISTS(11, Resolver.CALLER),
    /** Another session writes the file. */
    FILE_OPEN(12, Resolver.CALLER),
    /** The request named a version of the attributes, and they are newer (test-and-set). */
    STALE_VERSION(13, Resolver.CALLER),
    /** A value above a documented limit: an xattr, a page, a payload. */
    TOO_LARGE(14, Resolver.CALLER),
    /** The server does not offer this. */
    NOT_SUPPORTED(15, Resolver.CALLER),

    /** Recovery or another writer raised the write generation. */
    STALE_GENERATION(20, Resolver.WRITER),
    /** This session is not the file's writer. */
    NOT_WRITER(21, Resolver.WRITER),
    NO_SUCH_DATAFILE(22, Resolver.WRITER),
    /** The column already has another datafile, or the datafile belongs to another metafile. */
    ALREADY_ATTACHED(23, Resolver.WRITER),
    /** A write beyond the datafile's length: an earlier one did not arrive. */
    WRITE_GAP(24, Resolver.WRITER),
    /** Unknown or ended session, or a request id whose reply was pruned. The request was not executed now. */
    SESSION_EXPIRED(25, Resolver.WRITER),
    /** A repeated write whose bytes differ from the bytes that are stored. */
    WRITE_CONFLICT(26, Resolver.WRITER),
    /** The lease of a named handle has ended. No file gets that handle any more; other handles still work. */
    LEASE_REVOKED(27, Resolver.WRITER),

    /**
     * Not now: a bounded queue or another limit is full (connections, sessions, files, leases), another operation holds the name or directory,
     * a shard that has to be asked does not answer, or a server waits for new handles or for a write generation. Nothing was done. Made by the
     * client too, above its own limits.
     */
    BUSY(30, Resolver.RETRY),
    /** The server is starting, stopping or fenced, or ended an idle connection. Nothing was done. */
    UNAVAILABLE(31, Resolver.RETRY),
    /** No answer in time: it is unknown whether the request was done. Made by the client. */
    TIMED_OUT(32, Resolver.RETRY),
    /** The connection ended before the answer: it is unknown whether the request was done. Made by the client. */
    CONNECTION_LOST(33, Resolver.RETRY),
    /** No connection could be made: nothing was done. Made by the client. */
    UNREACHABLE(34, Resolver.RETRY),
    /** Cancelled before it began, or its deadline had passed on arrival. Nothing was done. */
    CANCELLED(35, Resolver.RETRY),
    /** There was no memory for an answer, at the client or at the server: it is unknown whether the request was done. */
    NO_MEMORY(39, Resolver.RETRY),
    /** HELLO: another server answers at the address, or one of another file system. Nothing was done. */
    WRONG_SERVER(36, Resolver.RETRY),
    /** No machine has the server's host name. Nothing was done. Made by the client. */
    UNKNOWN_HOST(37, Resolver.RETRY),
    /** The process at the server's address does not speak SteadFS's protocol. Nothing was done. Made by the client. */
    NOT_STEADFS(38, Resolver.RETRY),

    /** The partition of the name is on another shard. The reply has the map. */
    WRONG_PARTITION(40, Resolver.REFRESH),
    /** The path goes on at another shard. The reply says where. */
    CONTINUE(41, Resolver.REFRESH),
    /** A newer epoch changed the owner of the object that the request names. */
    STALE_EPOCH(42, Resolver.REFRESH),
    /** This server does not own the object that the request names. */
    NOT_OWNER(43, Resolver.REFRESH),
    /** The directory or file to which a walk was sent on no longer exists: walk again from the root. */
    STALE_START(44, Resolver.REFRESH),

    NO_SPACE(50, Resolver.OPERATOR),
    /** Stored or sent bytes do not match their checksum. */
    CORRUPT(51, Resolver.OPERATOR),
    IO_ERROR(52, Resolver.OPERATOR),
    /** A frame or message that cannot be decoded. */
    BAD_MESSAGE(53, Resolver.OPERATOR),
    UNSUPPORTED_VERSION(54, Resolver.OPERATOR),
    UNKNOWN_KIND(55, Resolver.OPERATOR),
    /** A broken invariant or a programming error. The message says which. */
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

    /** Whether it is unknown if the request was executed. Only a retry with the same id settles that. */
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

    /** Empty for a code that this release does not know. */
    public static Optional<FsError> byCode(int code) {
        return code >= 0 && code < BY_CODE.length ? Optional.ofNullable(BY_CODE[code]) : Optional.empty();
    }
}
