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
 * Requires that the body of a request is short, and that the request states the length of the body. The filter reads
 * each body to its end, even if the request was already refused. The server would have to close a connection with an
 * unread body after the answer. The next request on the same connection would then fail, and a client that still sends
 * the body may lose the answer. Of a body that is too long, so much is passed over; with a longer one the connection ends.
 */
public final class Bodies implements Filter {
    static final int MOST_BYTES = 64 << 10;

    /** The longest body that is read without being kept, so that its sender can read why it is refused. */
    private static final int MOST_PASSED_OVER = 1 << 20;

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
            if (asked.getContentLengthLong() <= MOST_PASSED_OVER) {
                asked.getInputStream().skipNBytes(asked.getContentLengthLong());
            }
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
