package io.steadfs.webui.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Writes the answer to a request that the server refuses outside the API. The answer has the same form as a refusal by
 * the API. All texts are constants of this program, so they need no escapes in JSON.
 */
final class RefusedEarly {
    private RefusedEarly() {}

    static void write(HttpServletResponse answer, int status, String title, String detail) throws IOException {
        answer.setStatus(status);
        answer.setContentType("application/problem+json");
        answer.getWriter()
                .print("{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\""
                        + detail + "\"}");
    }
}
