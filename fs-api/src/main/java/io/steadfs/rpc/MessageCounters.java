package io.steadfs.rpc;

import io.steadfs.config.Settings;
import io.steadfs.recent.RecentMessages;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.KindLatency;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the messages of one process, by kind and by step. A message is a request with its reply. The sender counts the
 * message as "out", and the receiver counts the message as "in". A retry counts as another message. The counters also
 * keep the last messages with their times. May be used from any thread.
 */
public final class MessageCounters {
    /**
     * Largest number of steps with counts of their own. Messages of further steps are counted under
     * {@value #OTHER_STEPS}.
     */
    public static final int MAX_STEPS = 256;

    public static final String OTHER_STEPS = "other";
    private static final int MAX_STEP_NAME = 64;

    /** Kinds of messages that tools send only to watch the cluster. */
    private static final Set<Kind> WATCHING = EnumSet.of(Kind.STATUS, Kind.RECENT_MESSAGES, Kind.CONFIGURATION);

    private final Map<Kind, LongAdder> in = adders();
    private final Map<Kind, LongAdder> watches = adders();
    private final Map<Kind, LongAdder> out = adders();
    private final Map<Kind, LatencyHistogram> times = histograms();
    private final ConcurrentHashMap<String, LongAdder> steps = new ConcurrentHashMap<>();
    private final ServerLoad load = new ServerLoad();
    private final RecentMessages recent;

    /** Makes counters that keep no messages. */
    public MessageCounters() {
        this(new RecentMessages(0));
    }

    private MessageCounters(RecentMessages recent) {
        this.recent = recent;
    }

    /** Makes counters that keep the last messages. The configuration says how many. */
    public static MessageCounters keeping(Settings settings) {
        return new MessageCounters(
                new RecentMessages(settings.get(RecentMessages.LENGTH).intValue()));
    }

    /** The last messages of this process. */
    public RecentMessages recent() {
        return recent;
    }

    /** The load of the server in this process. */
    public ServerLoad load() {
        return load;
    }

    /** Counts a request that this process received. */
    public void in(Kind kind, String step) {
        in(kind, step, false);
    }

    /**
     * Counts a request that this process received.
     *
     * @param watching whether a tool sent the request to watch the cluster; such a request has a count of its own, and
     *     its step is not counted
     */
    public void in(Kind kind, String step, boolean watching) {
        if (isWatching(kind, watching)) {
            count(watches, kind);
        } else {
            count(in, kind);
            step(step);
        }
    }

    /** Notes how long the answer to a request took. {@link #in} or {@link #out} must have counted the request. */
    public void took(Kind kind, long nanos) {
        LatencyHistogram histogram = times.get(kind);
        if (histogram != null) {
            histogram.add(nanos);
        }
    }

    /** Times of messages by kind. Kinds without messages are left out. */
    public SortedMap<String, LatencyCounts> latencies() {
        TreeMap<String, LatencyCounts> all = new TreeMap<>();
        times.forEach((kind, histogram) -> {
            LatencyCounts counts = histogram.counts();
            if (counts.count() > 0) {
                all.put(kind.name(), counts);
            }
        });
        return all;
    }

    /** The result of {@link #latencies}, in the form of a STATUS reply. */
    public List<KindLatency> toldLatencies() {
        List<KindLatency> told = new ArrayList<>();
        latencies().forEach((kind, counts) -> {
            KindLatency.Builder one = KindLatency.newBuilder().setKind(kind).setSumMicros(counts.sumMicros());
            int last = LatencyCounts.BUCKETS;
            while (counts.count(last - 1) == 0) {
                last--;
            }
            for (int i = 0; i < last; i++) {
                one.addCounts(counts.count(i));
            }
            told.add(one.build());
        });
        return told;
    }

    /** Whether a request has a count of its own, because a tool sent the request to watch the cluster. */
    public static boolean isWatching(Kind kind, boolean watching) {
        return watching || WATCHING.contains(kind);
    }

    /** Counts a request that this process sent. */
    public void out(Kind kind, String step) {
        count(out, kind);
        step(step);
    }

    /**
     * All counts that are not zero, by name. The names are {@code messages.in.KIND}, {@code messages.watching.KIND},
     * {@code messages.out.KIND}, {@code steps.STEP} and {@code connections.refused}. If another thread counts during
     * this call, the result may lack that count.
     */
    public SortedMap<String, Long> snapshot() {
        TreeMap<String, Long> all = new TreeMap<>();
        in.forEach((kind, count) -> put(all, "messages.in." + kind, count.sum()));
        watches.forEach((kind, count) -> put(all, "messages.watching." + kind, count.sum()));
        out.forEach((kind, count) -> put(all, "messages.out." + kind, count.sum()));
        steps.forEach((step, count) -> put(all, "steps." + step, count.sum()));
        put(all, "connections.refused", load.refusedConnections());
        return all;
    }

    private void step(String step) {
        if (step.isEmpty()) {
            return;
        }
        LongAdder count = steps.get(step);
        if (count == null) {
            boolean known = steps.size() < MAX_STEPS && step.length() <= MAX_STEP_NAME;
            count = steps.computeIfAbsent(known ? step : OTHER_STEPS, name -> new LongAdder());
        }
        count.increment();
    }

    private static void count(Map<Kind, LongAdder> counts, Kind kind) {
        LongAdder count = counts.get(kind);
        if (count != null) {
            count.increment();
        }
    }

    private static void put(Map<String, Long> all, String name, long value) {
        if (value != 0) {
            all.put(name, value);
        }
    }

    private static Map<Kind, LatencyHistogram> histograms() {
        Map<Kind, LatencyHistogram> histograms = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            histograms.put(kind, new LatencyHistogram());
        }
        return histograms;
    }

    private static Map<Kind, LongAdder> adders() {
        Map<Kind, LongAdder> adders = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            adders.put(kind, new LongAdder());
        }
        return adders;
    }
}
