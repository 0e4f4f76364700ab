package io.steadfs.webui.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Answers a request only if the request's Host header contains one of the server's own names. Another host name may
 * also lead to this server. A page under such a foreign name must not be able to act as a page of this server.
 */
public final class HostCheck implements Filter {
    private final Set<String> names;

    /** @param names names and addresses of the server, in lower case, without ports */
    public HostCheck(Set<String> names) {
        this.names = Set.copyOf(names);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (names.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
            chain.doFilter(request, response);
            return;
        }
        RefusedEarly.write(
                (HttpServletResponse) response,
                421,
                "Misdirected request",
                "no web interface of this name is here; name it when it is started");
    }
}
