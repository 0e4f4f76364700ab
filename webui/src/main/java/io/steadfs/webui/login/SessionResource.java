package io.steadfs.webui.login;

import io.steadfs.time.Clock;
import io.steadfs.webui.audit.AuditLog;
import io.steadfs.webui.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Serves login and logout. */
@Path(Guard.LOGIN)
@Produces(MediaType.APPLICATION_JSON)
public final class SessionResource {
    private final Users users;
    private final Sessions sessions;
    private final LoginLimit limit;
    private final AuditLog audit;
    private final Clock clock;

    public SessionResource(Users users, Sessions sessions, AuditLog audit, Clock clock) {
        this.users = users;
        this.sessions = sessions;
        this.audit = audit;
        this.clock = clock;
        this.limit = new LoginLimit(clock);
    }

    /** A request to log in. */
    public record Login(@Nullable String user, @Nullable String password) {}

    /** The logged-in user, and the token that each change must contain. */
    public record LoggedIn(String user, Role role, String csrf) {
        static LoggedIn of(Sessions.Session session) {
            return new LoggedIn(session.user().name(), session.user().role(), session.csrf());
        }
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response login(@Nullable Login login, @Context HttpServletRequest request) throws IOException {
        String name = login == null || login.user() == null ? "" : login.user();
        String password = login == null || login.password() == null ? "" : login.password();
        if (name.isEmpty() || name.length() > 256 || password.length() > 1024) {
            throw Refusal.badRequest("user and password are needed, of 256 and 1024 characters at most");
        }
        String address = request.getRemoteAddr();
        String[] keys = {"user " + name, "address " + address};
        OptionalLong wait = limit.tries(keys);
        if (wait.isPresent()) {
            throw Refusal.tooMany("too many failed logins; wait " + wait.getAsLong() + " s", wait.getAsLong());
        }
        Optional<Users.User> found = users.find(name, password);
        if (found.isEmpty()) {
            audit.add(clock.wallMillis(), name, "", address, "login", name, "refused");
            throw Refusal.unauthenticated("user or password is wrong");
        }
        limit.succeeded(keys);
        Users.User user = found.get();
        Sessions.Session session = sessions.begin(user);
        audit.add(clock.wallMillis(), user.name(), user.role().label(), address, "login", user.name(), "done");
        return Response.ok(LoggedIn.of(session))
                .cookie(cookie(session.token(), NewCookie.DEFAULT_MAX_AGE, request.isSecure()))
                .build();
    }

    private static NewCookie cookie(String value, int seconds, boolean secure) {
        return new NewCookie.Builder(Guard.COOKIE)
                .value(value)
                .path("/")
                .maxAge(seconds)
                .httpOnly(true)
                .secure(secure)
                .sameSite(NewCookie.SameSite.STRICT)
                .build();
    }

    @GET
    public LoggedIn who(@Context ContainerRequestContext request) {
        return LoggedIn.of(Guard.session(request));
    }

    @DELETE
    public Response logout(@Context ContainerRequestContext request, @Context HttpServletRequest raw) {
        sessions.end(Guard.session(request).token());
        return Response.noContent().cookie(cookie("", 0, raw.isSecure())).build();
    }
}
