package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.ServerStatus;
import io.steadfs.error.FsException;
import io.steadfs.outage.Outages;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the history of a cluster in the last ten minutes, for charts. The history has a sample for every two seconds.
 * Thread-safe.
 */
public final class History {
    public static final long STEP_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(History.class);
    private static final int MOST = 300;
    private static final String MESSAGES = "messages.in.";
    private static final Set<String> BYTES = Set.of("bytes.in", "bytes.out");
    private static final Set<String> CREATES = Set.of(MESSAGES + "CREATE", MESSAGES + "CREATE_METAFILE");

    private final Cluster cluster;
    private final Clock clock;
    private final LatencyHistory latencies = new LatencyHistory();
    private final Outages faults;
    private final Deque<Point> points = new ArrayDeque<>();
    private Map<String, Map<String, Long>> before = Map.of();
    private long beforeNanos;

    /**
     * A sample of the cluster.
     *
     * @param at milliseconds since 1970
     * @param requestsPerSecond rate of requests that arrived at servers, without requests of tools that watch the
     * cluster. This process is such a tool.
     * @param bytesPerSecond rate of file bytes that IO servers received or sent
     */
    public record Point(
            long at,
            double requestsPerSecond,
            double createsPerSecond,
            double bytesPerSecond,
            long freeBytes,
            long pooled,
            long pending,
            long suspect,
            long orphan) {}

    public History(Cluster cluster, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
        this.faults = new Outages("cluster", clock, LOG::warn);
    }

    public synchronized List<Point> points() {
        return new ArrayList<>(points);
    }

    /** Takes one sample. If the cluster does not answer, the history has a gap. */
    public void look() {
        try {
            ClusterStatus status = cluster.status();
            tell(status);
            latencies.add(status, clock.monotonicNanos());
            add(status, cluster.account());
        } catch (FsException | RuntimeException e) {
            LOG.debug("no look at the cluster", e);
        }
    }

    private void tell(ClusterStatus status) {
        Map<String, String> away = new TreeMap<>();
        status.faults().forEach(fault -> away.merge(fault.subject(), fault.text(), (one, other) -> one + "; " + other));
        faults.look(away);
    }

    /** Latencies in the time since the oldest sample, which is at most ten minutes old. */
    LatencyHistory.Window latencies(ClusterStatus now) {
        return latencies.until(now, clock.monotonicNanos());
    }

    /**
     * The time at which a fault of the server or other subject was first seen. Empty while the subject has no fault.
     */
    public OptionalLong faultySince(String subject) {
        return faults.since(subject);
    }

    private synchronized void add(ClusterStatus status, HandleAccount account) {
        long now = clock.monotonicNanos();
        Map<String, Map<String, Long>> counters = new HashMap<>();
        double requests = 0;
        double creates = 0;
        double bytes = 0;
        for (ServerStatus server : status.servers()) {
            // If a server does not answer at present, its last counters stay.
            counters.put(
                    server.name(),
                    server.answers() ? server.counters() : before.getOrDefault(server.name(), server.counters()));
            for (Map.Entry<String, Long> each : server.counters().entrySet()) {
                // A server that was restarted counts from 0.
                long rose = each.getValue()
                        - before.getOrDefault(server.name(), server.counters()).getOrDefault(each.getKey(), 0L);
                if (rose > 0) {
                    requests += each.getKey().startsWith(MESSAGES) ? rose : 0;
                    creates += CREATES.contains(each.getKey()) ? rose : 0;
                    bytes += BYTES.contains(each.getKey()) ? rose : 0;
                }
            }
        }
        double seconds = (now - beforeNanos) / 1e9;
        if (!before.isEmpty() && seconds > 0) {
            points.addLast(new Point(
                    clock.wallMillis(),
                    requests / seconds,
                    creates / seconds,
                    bytes / seconds,
                    status.space().freeBytes(),
                    account.sum(Account::getPooled),
                    account.servers().stream()
                            .mapToLong(server -> account.pending(server.name()))
                            .sum(),
                    account.sum(Account::getSuspect),
                    account.sum(Account::getOrphan)));
            if (points.size() > MOST) {
                points.removeFirst();
            }
        }
        before = counters;
        beforeNanos = now;
    }
}
