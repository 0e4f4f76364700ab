package io.steadfs.webui.login;

import io.steadfs.time.Clock;
import io.steadfs.webui.audit.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.IOException;

/** Makes changes, each between two lines of the audit log. */
public final class Changes {
    private final AuditLog audit;
    private final Clock clock;

    public Changes(AuditLog audit, Clock clock) {
        this.audit = audit;
        this.clock = clock;
    }

    /** What is changed. */
    public interface Change<T> {
        T make() throws IOException;
    }

    /** @throws IOException if the change fails, or cannot be noted: then it is not made */
    public <T> T make(
            ContainerRequestContext request, HttpServletRequest raw, String action, String target, Change<T> change)
            throws IOException {
        Users.User user = Guard.session(request).user();
        note(user, raw, action, target, "begun");
        try {
            T made = change.make();
            note(user, raw, action, target, "done");
            return made;
        } catch (IOException | RuntimeException e) {
            note(user, raw, action, target, "failed: " + e.getMessage());
            throw e;
        }
    }

    private void note(Users.User user, HttpServletRequest raw, String action, String target, String outcome)
            throws IOException {
        audit.add(clock.wallMillis(), user.name(), user.role().label(), raw.getRemoteAddr(), action, target, outcome);
    }
}
