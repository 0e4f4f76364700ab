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

/** Serves how long requests took at the servers in the last ten minutes, by kind of request. */
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

    /**
     * The latencies of one kind of request. Each time is accurate to the width of its histogram bucket. The width of a
     * bucket is a half or a third of the time.
     */
    public record Latency(String kind, long count, long p50Micros, long p99Micros, long totalMicros) {}

    /**
     * The kinds of requests that arrived, ordered by total time. The kind with the largest total time comes first.
     *
     * @param seconds length of the observed time in seconds, at most 600
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
