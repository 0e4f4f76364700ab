package io.steadfs.webui.login;

import io.steadfs.time.Clock;
import io.steadfs.webui.audit.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes changes that users ask for. The audit log gets a line before each change and a line after the change. */
public final class Changes {
    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

    private final AuditLog audit;
    private final Clock clock;

    public Changes(AuditLog audit, Clock clock) {
        this.audit = audit;
        this.clock = clock;
    }

    /** A change. */
    public interface Change<T> {
        T make() throws IOException;
    }

    /**
     * @throws IOException if the change fails, or if the first line cannot be written to the audit log. If the first
     * line cannot be written, the method does not make the change.
     */
    public <T> T make(
            ContainerRequestContext request, HttpServletRequest raw, String action, String target, Change<T> change)
            throws IOException {
        Users.User user = Guard.session(request).user();
        note(user, raw, action, target, "begun");
        T made;
        try {
            made = change.make();
        } catch (IOException | RuntimeException e) {
            try {
                note(user, raw, action, target, "failed: " + e.getMessage());
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
        try {
            note(user, raw, action, target, "done");
        } catch (IOException e) {
            // The change has already been made, so the caller must get its result.
            LOG.error("that {} of {} is done cannot be noted", action, target, e);
        }
        return made;
    }

    private void note(Users.User user, HttpServletRequest raw, String action, String target, String outcome)
            throws IOException {
        audit.add(clock.wallMillis(), user.name(), user.role().label(), raw.getRemoteAddr(), action, target, outcome);
    }
}
