package io.steadfs.webui.problem;

import java.util.OptionalLong;

/** The server refuses a request. The client gets the refusal as a {@link Problem}. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final long retryAfterSeconds;

    private Refusal(int status, String detail, long retryAfterSeconds) {
        super(detail);
        this.status = status;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** Refuses a request because a parameter or the body is not valid. */
    public static Refusal badRequest(String detail) {
        return new Refusal(400, detail, -1);
    }

    public static Refusal unauthenticated(String detail) {
        return new Refusal(401, detail, -1);
    }

    public static Refusal forbidden(String detail) {
        return new Refusal(403, detail, -1);
    }

    public static Refusal notFound(String detail) {
        return new Refusal(404, detail, -1);
    }

    public static Refusal conflict(String detail) {
        return new Refusal(409, detail, -1);
    }

    public static Refusal tooMany(String detail, long retryAfterSeconds) {
        return new Refusal(429, detail, retryAfterSeconds);
    }

    public static Refusal unavailable(String detail) {
        return new Refusal(503, detail, -1);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    public OptionalLong retryAfterSeconds() {
        return retryAfterSeconds < 0 ? OptionalLong.empty() : OptionalLong.of(retryAfterSeconds);
    }
}
