package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.ServerStatus;
import io.steadfs.rpc.LatencyCounts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The latencies of requests in the last ten minutes, by server and kind of request. The history takes a sample every
 * ten seconds and keeps 60 samples. Thread-safe.
 */
final class LatencyHistory {
    private static final long STEP_NANOS = 10_000_000_000L;
    private static final int MOST = 60;

    private final Deque<Look> looks = new ArrayDeque<>();

    private record Look(long nanos, Map<String, Map<String, LatencyCounts>> byServer) {}

    /**
     * The latencies in a span of time.
     *
     * @param byServer latencies by name of the server, then by kind of request
     * @param seconds length of the span in seconds
     */
    record Window(Map<String, Map<String, LatencyCounts>> byServer, double seconds) {}

    synchronized void add(ClusterStatus status, long nanos) {
        if (!looks.isEmpty() && nanos - looks.getLast().nanos() < STEP_NANOS) {
            return;
        }
        looks.addLast(new Look(nanos, of(status)));
        if (looks.size() > MOST) {
            looks.removeFirst();
        }
    }

    private static Map<String, Map<String, LatencyCounts>> of(ClusterStatus status) {
        Map<String, Map<String, LatencyCounts>> byServer = new HashMap<>();
        for (ServerStatus server : status.servers()) {
            byServer.put(server.name(), server.latencies());
        }
        return byServer;
    }

    /**
     * Latencies from the oldest sample until now. A server may be missing in the oldest sample. For such a server, the
     * result has all latencies since the start of the server.
     */
    synchronized Window until(ClusterStatus now, long nanos) {
        Map<String, Map<String, LatencyCounts>> before =
                looks.isEmpty() ? Map.of() : looks.getFirst().byServer();
        Map<String, Map<String, LatencyCounts>> window = new TreeMap<>();
        of(now).forEach((server, kinds) -> {
            Map<String, LatencyCounts> earlier = before.getOrDefault(server, Map.of());
            Map<String, LatencyCounts> grown = new TreeMap<>();
            kinds.forEach((kind, counts) -> {
                LatencyCounts since = counts.since(earlier.getOrDefault(kind, LatencyCounts.none()));
                if (since.count() > 0) {
                    grown.put(kind, since);
                }
            });
            window.put(server, grown);
        });
        double seconds = looks.isEmpty() ? 0 : (nanos - looks.getFirst().nanos()) / 1e9;
        return new Window(window, seconds);
    }
}
