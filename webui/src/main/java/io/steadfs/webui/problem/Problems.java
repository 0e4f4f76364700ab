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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whatever ends a request becomes a problem that says what is wrong. */
public final class Problems implements ExceptionMapper<Throwable> {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final int FAULT = 500;
    private static final Map<Integer, String> TITLES = Map.of(
            400, "Bad request",
            401, "Not logged in",
            403, "Not allowed",
            404, "Not found",
            405, "Method not allowed",
            409, "Not now",
            415, "Not JSON",
            429, "Too many tries",
            500, "Fault of the server",
            503, "The cluster does not answer");

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
        LOG.error("a request failed", failure);
        String what = failure instanceof IOException ? failure.toString() : "see the log of the web interface";
        return answer(FAULT, what, OptionalLong.empty());
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
