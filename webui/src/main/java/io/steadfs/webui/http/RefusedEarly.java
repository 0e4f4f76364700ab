package io.steadfs.webui.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Requests that are refused before they reach the API get the same form of answer. The texts are ours and need no escapes. */
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
