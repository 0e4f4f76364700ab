package io.steadfs.webui.timeline;

import io.steadfs.error.FsException;
import io.steadfs.timeline.RecentOperation;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Traces;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.login.Changes;
import io.steadfs.webui.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves timelines of operations. A timeline shows a recent operation, or a create that the server makes for this
 * purpose.
 */
@Path("timeline")
@Produces(MediaType.APPLICATION_JSON)
public final class TimelineResource {
    private static final int MOST_COLUMNS = 64;

    private final Timelines timelines;
    private final Changes changes;

    public TimelineResource(Timelines timelines, Changes changes) {
        this.timelines = timelines;
        this.changes = changes;
    }

    /** A request to create a file and to show the timeline of the create. */
    public record Probe(@Nullable String protocol, @Nullable Integer columns) {}

    /** A page of the operations, and the names of the servers that did not answer. */
    public record Told(
            List<Map<String, ?>> items,
            @Nullable String next,
            @Nullable Long total,
            List<String> problems) {}

    @GET
    public Told recent(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        RecentOperations recent = timelines.recent();
        // New operations appear at the front of the list all the time. So a page begins after the last operation of the
        // previous page.
        List<RecentOperation> all = recent.operations();
        int from = 0;
        if (!asked.cursor().isEmpty()) {
            long last = trace("cursor", asked.cursor());
            while (from < all.size() && all.get(from).traceId() != last) {
                from++;
            }
            from++;
        }
        Page<RecentOperation> page = asked.page(
                all.stream().skip(from).iterator(),
                each -> asked.finds(
                        Traces.name(each.traceId()), String.join(" ", each.kinds()), String.join(" ", each.servers())),
                each -> Traces.name(each.traceId()));
        return new Told(
                List.copyOf(page.items().stream().map(RecentOperation::fields).toList()),
                page.next(),
                page.total(),
                recent.problems());
    }

    private static long trace(String parameter, String text) {
        try {
            return Traces.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest(parameter + ": " + e.getMessage());
        }
    }

    @GET
    @Path("{trace}")
    public Map<String, Object> one(@PathParam("trace") String trace) throws FsException {
        return timelines.of(trace("trace", trace)).fields();
    }

    @POST
    @Path("probes")
    @Consumes(MediaType.APPLICATION_JSON)
    public Map<String, Object> probe(
            @Nullable Probe body, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        String name = body == null || body.protocol() == null ? "" : body.protocol();
        ProbedProtocol protocol = ProbedProtocol.of(name)
                .orElseThrow(() -> Refusal.badRequest("protocol: there is none of name '" + name + "'"));
        int columns = body == null || body.columns() == null ? 2 : body.columns();
        if (columns < 1 || columns > MOST_COLUMNS) {
            throw Refusal.badRequest("columns: " + columns + " is not in 1 to " + MOST_COLUMNS);
        }
        return changes.make(
                request,
                raw,
                "probe create",
                name + ", " + columns + " columns",
                () -> timelines.probe(protocol, columns).fields());
    }
}
