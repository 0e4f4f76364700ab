package io.steadfs.webui.problem;

import com.fasterxml.jackson.core.JacksonException;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every failure of a request into a problem that describes the cause. */
public final class Problems implements ExceptionMapper<Throwable> {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final int FAULT = 500;
    private static final Map<Integer, String> TITLES = Map.ofEntries(
            Map.entry(400, "Bad request"),
            Map.entry(401, "Not logged in"),
            Map.entry(403, "Not allowed"),
            Map.entry(404, "Not found"),
            Map.entry(405, "Method not allowed"),
            Map.entry(408, "Too slow"),
            Map.entry(409, "Not now"),
            Map.entry(415, "Not JSON"),
            Map.entry(429, "Too many tries"),
            Map.entry(500, "Fault of the server"),
            Map.entry(503, "The cluster does not answer"));

    @Override
    public Response toResponse(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return answer(refusal.status(), String.valueOf(refusal.getMessage()), refusal.retryAfterSeconds());
        }
        if (failure instanceof FsException refused) {
            return answer(status(refused.error()), String.valueOf(refused.getMessage()), OptionalLong.empty());
        }
        if (failure instanceof JacksonException bad) {
            return answer(400, "the body is not what is expected: " + bad.getOriginalMessage(), OptionalLong.empty());
        }
        if (failure instanceof WebApplicationException http) {
            return answer(http.getResponse().getStatus(), String.valueOf(http.getMessage()), OptionalLong.empty());
        }
        if (isTooSlow(failure)) {
            return answer(408, "the body came too slowly", OptionalLong.empty());
        }
        LOG.error("a request failed", failure);
        String what = failure instanceof IOException ? failure.toString() : "see the log of the web interface";
        return answer(FAULT, what, OptionalLong.empty());
    }

    /**
     * Whether the HTTP server stopped reading the body because the client was too slow. The client caused this failure,
     * so the server does not log it.
     */
    private static boolean isTooSlow(Throwable failure) {
        return failure instanceof IOException && failure.getCause() instanceof TimeoutException;
    }

    private static int status(FsError error) {
        return switch (error) {
            case NOT_FOUND, NOT_A_DIRECTORY -> 404;
            case PERMISSION_DENIED -> 403;
            case INVALID_ARGUMENT, NAME_TOO_LONG, IS_A_DIRECTORY -> 400;
            default -> 503;
        };
    }

    private static Response answer(int status, String detail, OptionalLong retryAfterSeconds) {
        Response.ResponseBuilder response = Response.status(status)
                .type(Problem.MEDIA_TYPE)
                .entity(new Problem("about:blank", TITLES.getOrDefault(status, "Refused"), status, detail));
        retryAfterSeconds.ifPresent(seconds -> response.header("Retry-After", seconds));
        return response.build();
    }
}
