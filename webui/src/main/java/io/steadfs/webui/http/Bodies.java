package io.steadfs.webui.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Requires that bodies of requests are short, and that requests state their length. Each body is read to its end, even if the request was
 * refused before. Otherwise the connection would have to be closed after the answer, and the next request on it would fail.
 */
public final class Bodies implements Filter {
    static final int MOST_BYTES = 64 << 10;

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        if (asked.getHeader("Transfer-Encoding") != null) {
            refuse(answer, 411, "Length needed", "a body without Content-Length is not read");
            return;
        }
        if (asked.getContentLengthLong() > MOST_BYTES) {
            refuse(answer, 413, "Too long", asked.getContentLengthLong() + " bytes are more than " + MOST_BYTES);
            return;
        }
        chain.doFilter(request, response);
        if (asked.getContentLengthLong() > 0) {
            var unused = asked.getInputStream().readAllBytes();
        }
    }

    private static void refuse(HttpServletResponse answer, int status, String title, String detail) throws IOException {
        answer.setHeader("Connection", "close");
        RefusedEarly.write(answer, status, title, detail);
    }
}
