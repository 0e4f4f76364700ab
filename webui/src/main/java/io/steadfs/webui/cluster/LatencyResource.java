package io.steadfs.webui.cluster;

import io.steadfs.error.FsException;
import io.steadfs.rpc.LatencyCounts;
import io.steadfs.webui.list.Filter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long requests took at servers, by kind, in the last ten minutes. */
@Path("latencies")
@Produces(MediaType.APPLICATION_JSON)
public final class LatencyResource {
    private static final Pattern SERVER = Pattern.compile("(mds|io)-[0-9]{1,9}");

    private final Cluster cluster;
    private final History history;

    public LatencyResource(Cluster cluster, History history) {
        this.cluster = cluster;
        this.history = history;
    }

    /** Requests of one kind. Times are exact to a bucket, which is half or a third of the time wide. */
    public record Latency(String kind, long count, long p50Micros, long p99Micros, long totalMicros) {}

    /**
     * Kinds of requests that arrived, in the order of their total time, the largest first.
     *
     * @param seconds how long the servers were watched, at most ten minutes
     */
    public record Latencies(double seconds, List<Latency> items) {}

    @GET
    public Latencies list(@QueryParam("server") @Nullable String server) throws FsException {
        Filter ofServer = Filter.like("server", server, SERVER, "the name of a server");
        LatencyHistory.Window window = history.latencies(cluster.status());
        Map<String, LatencyCounts> byKind = new TreeMap<>();
        window.byServer().forEach((name, kinds) -> {
            if (ofServer.passes(name)) {
                kinds.forEach((kind, counts) -> byKind.merge(kind, counts, LatencyCounts::plus));
            }
        });
        return new Latencies(
                window.seconds(),
                byKind.entrySet().stream()
                        .map(each -> latency(each.getKey(), each.getValue()))
                        .sorted(Comparator.comparingLong(Latency::totalMicros).reversed())
                        .toList());
    }

    private static Latency latency(String kind, LatencyCounts counts) {
        return new Latency(
                kind, counts.count(), counts.quantileMicros(0.5), counts.quantileMicros(0.99), counts.sumMicros());
    }
}
