package io.steadfs.webui.audit;

import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.problem.Refusal;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves the list of changes, newest first. */
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public final class AuditResource {
    private final AuditLog audit;

    public AuditResource(AuditLog audit) {
        this.audit = audit;
    }

    @GET
    public Page<AuditLog.Entry> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search)
            throws IOException {
        Asked asked = Asked.of(limit, cursor, search);
        List<AuditLog.Entry> found = audit.before(number(asked.cursor()), asked.search(), asked.limit() + 1);
        boolean more = found.size() > asked.limit();
        List<AuditLog.Entry> items = more ? found.subList(0, asked.limit()) : found;
        return new Page<>(
                items, more ? Long.toString(items.get(items.size() - 1).number()) : null, null);
    }

    private static long number(String cursor) {
        try {
            return cursor.isEmpty() ? 0 : Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw Refusal.badRequest("cursor: '" + cursor + "' is none of this list");
        }
    }
}
