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
 * Adds security headers for browsers to every answer. With these headers, a browser loads nothing from other servers.
 * The browser shows the page in no frame and does not guess the type of an answer. The browser does not cache answers
 * of the API.
 */
public final class SecurityHeaders implements Filter {
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse answer = (HttpServletResponse) response;
        answer.setHeader("Content-Security-Policy", POLICY);
        answer.setHeader("X-Content-Type-Options", "nosniff");
        answer.setHeader("X-Frame-Options", "DENY");
        answer.setHeader("Referrer-Policy", "no-referrer");
        answer.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
        answer.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        answer.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        boolean isApi = "/api/v1".equals(((HttpServletRequest) request).getServletPath());
        answer.setHeader("Cache-Control", isApi ? "no-store" : "no-cache");
        chain.doFilter(request, response);
    }
}
