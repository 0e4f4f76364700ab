package io.steadfs.webui.configuration;

import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configuration keys: value, default, meaning. */
@Path("configuration")
@Produces(MediaType.APPLICATION_JSON)
public final class ConfigurationResource {
    private final Configured configured;

    public ConfigurationResource(Configured configured) {
        this.configured = configured;
    }

    /** A part of them, and whose they are. */
    public record Told(
            String of,
            List<Configured.Value> items,
            @Nullable String next,
            @Nullable Long total) {}

    @GET
    public Told list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search) {
        Asked asked = Asked.of(limit, cursor, search);
        Page<Configured.Value> page = asked.page(
                configured.values().stream()
                        .filter(each -> each.key().compareTo(asked.cursor()) > 0)
                        .iterator(),
                each -> asked.finds(each.key(), each.value(), each.meaning()),
                Configured.Value::key);
        return new Told(configured.of(), page.items(), page.next(), page.total());
    }
}
