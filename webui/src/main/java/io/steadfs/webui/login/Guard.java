package io.steadfs.webui.login;

import io.steadfs.webui.problem.Refusal;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Cookie;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the session of each request to the API. Only a login needs no session. A change also needs the session's
 * token. A change other than a logout also needs the role of an operator.
 */
@PreMatching
@Priority(Priorities.AUTHENTICATION)
public final class Guard implements ContainerRequestFilter {
    static final String COOKIE = "stead-session";
    static final String CSRF = "X-CSRF-Token";
    /** The page sets this header on requests that it sends automatically while no person uses the page. */
    static final String UNATTENDED = "X-Stead-Unattended";

    static final String LOGIN = "session";
    private static final String SESSION = Sessions.Session.class.getName();
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final Sessions sessions;

    public Guard(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        boolean isLogin = path.equals(LOGIN);
        if (isLogin && request.getMethod().equals("POST")) {
            return;
        }
        Cookie cookie = request.getCookies().get(COOKIE);
        boolean attended = request.getHeaderString(UNATTENDED) == null;
        Sessions.Session session = Optional.ofNullable(cookie)
                .flatMap(found -> sessions.find(found.getValue(), attended))
                .orElseThrow(() -> Refusal.unauthenticated("log in first"));
        request.setProperty(SESSION, session);
        if (READING.contains(request.getMethod())) {
            return;
        }
        String csrf = request.getHeaderString(CSRF);
        if (csrf == null || !session.isCsrf(csrf)) {
            throw Refusal.forbidden("a change needs the header " + CSRF + " with the token of the session");
        }
        if (!isLogin && session.user().role() != Role.OPERATOR) {
            throw Refusal.forbidden("'" + session.user().name() + "' is a "
                    + session.user().role().label() + " and may not change anything");
        }
    }

    /** The session of a request that the guard let through. */
    public static Sessions.Session session(ContainerRequestContext request) {
        return (Sessions.Session) request.getProperty(SESSION);
    }

    /** @throws Refusal if the user is not an operator */
    static void checkOperator(ContainerRequestContext request) {
        if (session(request).user().role() != Role.OPERATOR) {
            throw Refusal.forbidden("only operators may see this");
        }
    }
}
