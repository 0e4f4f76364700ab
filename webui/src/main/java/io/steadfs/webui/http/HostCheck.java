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
 * Answers only requests that name one of the server's own names. So no page under another name that leads to this server can act as one of
 * ours.
 */
public final class HostCheck implements Filter {
    private final Set<String> names;

    /** @param names and addresses, in lower case, without ports */
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
