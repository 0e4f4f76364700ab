package io.steadfs.webui.cluster;

import io.steadfs.admin.ServerStatus;
import io.steadfs.error.FsException;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Filter;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.problem.Refusal;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves the list of servers, ordered by role and number. */
@Path("servers")
@Produces(MediaType.APPLICATION_JSON)
public final class ServersResource {
    private static final List<String> ROLES = List.of("mds", "io");
    private static final List<String> STATES =
            List.of(ServerStatus.SERVES, ServerStatus.SILENT, ServerStatus.DOWN, ServerStatus.NEVER);

    private final Cluster cluster;

    public ServersResource(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * A server as a row of the list.
     *
     * @param asOf time at which the server reported its space, in milliseconds since 1970; null if the server never
     * reported its space
     */
    public record Row(
            String server,
            String role,
            String address,
            String state,
            long uptimeMillis,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            @Nullable Long asOf,
            List<String> problems) {
        static Row of(ServerStatus server) {
            return new Row(
                    server.name(),
                    ServerOrder.role(server.name()),
                    server.address(),
                    server.state(),
                    server.uptimeMillis(),
                    server.space().capacityBytes(),
                    server.space().usedBytes(),
                    server.space().freeBytes(),
                    server.space().asOfMillis() == 0 ? null : server.space().asOfMillis(),
                    server.problems());
        }
    }

    /** A server and all its counters. */
    public record Whole(
            String server,
            String role,
            String address,
            String state,
            long uptimeMillis,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            @Nullable Long asOf,
            List<String> problems,
            Map<String, Long> counters,
            Map<String, Long> gauges) {}

    @GET
    public Page<Row> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search,
            @QueryParam("role") @Nullable String role,
            @QueryParam("state") @Nullable String state)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        ServerOrder.check(asked.cursor());
        Filter ofRole = Filter.oneOf("role", role, ROLES);
        Filter inState = Filter.oneOf("state", state, STATES);
        return asked.page(
                cluster.status().servers().stream()
                        .map(Row::of)
                        .sorted(Comparator.comparing(Row::server, ServerOrder.BY_NUMBER))
                        .filter(row -> ServerOrder.isBehind(row.server(), asked.cursor()))
                        .iterator(),
                row -> ofRole.passes(row.role())
                        && inState.passes(row.state())
                        && asked.finds(row.server(), row.address(), String.join(" ", row.problems())),
                Row::server);
    }

    @GET
    @Path("{server}")
    public Whole one(@PathParam("server") String name) throws FsException {
        ServerStatus server = cluster.status().servers().stream()
                .filter(each -> each.name().equals(name))
                .findAny()
                .orElseThrow(() -> Refusal.notFound("there is no server '" + name + "'"));
        Row row = Row.of(server);
        return new Whole(
                row.server(),
                row.role(),
                row.address(),
                row.state(),
                row.uptimeMillis(),
                row.capacityBytes(),
                row.usedBytes(),
                row.freeBytes(),
                row.asOf(),
                row.problems(),
                server.counters(),
                server.gauges());
    }
}
