package io.steadfs.webui.configuration;

import io.steadfs.error.FsException;
import io.steadfs.webui.cluster.Cluster;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.problem.Refusal;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the configuration keys with their values, defaults and meanings. */
@Path("configuration")
@Produces(MediaType.APPLICATION_JSON)
public final class ConfigurationResource {
    private static final Pattern SERVER = Pattern.compile("(mds|io)-[0-9]{1,9}");

    private final Configured configured;
    private final Cluster cluster;

    public ConfigurationResource(Configured configured, Cluster cluster) {
        this.configured = configured;
        this.cluster = cluster;
    }

    /** A page of configuration keys, and the process to which the keys belong. */
    public record Told(
            String of,
            List<Configured.Value> items,
            @Nullable String next,
            @Nullable Long total) {}

    @GET
    public Told list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search,
            @QueryParam("server") @Nullable String server)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        Configured shown = server == null || server.isEmpty() ? configured : of(server);
        Page<Configured.Value> page = asked.page(
                shown.values().stream()
                        .filter(each -> each.key().compareTo(asked.cursor()) > 0)
                        .iterator(),
                each -> asked.finds(each.key(), each.value(), each.meaning()),
                Configured.Value::key);
        return new Told(shown.of(), page.items(), page.next(), page.total());
    }

    private Configured of(String server) throws FsException {
        if (!SERVER.matcher(server).matches()) {
            throw Refusal.badRequest("server: '" + server + "' is not the name of a server");
        }
        return Configured.of(
                server,
                cluster.configuration(server)
                        .orElseThrow(() -> Refusal.notFound("there is no server '" + server + "'")));
    }
}
