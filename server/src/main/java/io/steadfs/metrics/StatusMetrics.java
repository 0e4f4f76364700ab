package io.steadfs.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.LatencyCounts;
import io.steadfs.wire.proto.KindLatency;
import io.steadfs.wire.proto.StatusReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the counters and gauges of STATUS into metrics with the labels {@code server} and {@code role}. No numbers
 * are stored here, because each scrape asks for STATUS again.
 *
 * <p>A metadata server reports each number of a shard ({@code shard.2.log.batches}) and the sum over its shards
 * ({@code log.batches}). The metric has only the numbers of the shards, with the label {@code shard}. A query in
 * Prometheus can add up the numbers of the shards.
 */
final class StatusMetrics implements MultiCollector {
    private static final Pattern OF_SHARD = Pattern.compile("shard\\.(?<shard>[0-9]+)\\.(?<name>.+)");

    private static final String LATENCY = "steadfs_request_seconds";

    private final ServerId server;
    private final Supplier<StatusReply> status;

    StatusMetrics(ServerId server, Supplier<StatusReply> status) {
        this.server = server;
        this.status = status;
    }

    /** One metric, with a value for each set of labels. */
    private record Family(MetricName name, Map<Labels, Double> values) {}

    @Override
    public MetricSnapshots collect() {
        StatusReply now = status.get();
        Map<String, Double> gauges = new HashMap<>();
        now.getGaugesMap().forEach((name, value) -> gauges.put(name, (double) value));
        gauges.put("epoch", (double) now.getEpoch());
        gauges.put("uptime.seconds", now.getUptimeMillis() / 1000.0);
        gauges.put("problems", (double) now.getProblemsCount());
        Map<String, Double> counters = new HashMap<>();
        now.getCountersMap().forEach((name, value) -> counters.put(name, (double) value));

        Map<String, Family> counting = families(counters);
        Map<String, Family> measuring = families(gauges);
        measuring.keySet().removeAll(counting.keySet());
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counting.values().forEach(family -> all.metricSnapshot(counter(family)));
        measuring.values().forEach(family -> all.metricSnapshot(gauge(family)));
        if (now.getLatenciesCount() > 0) {
            all.metricSnapshot(latencies(now));
        }
        return all.build();
    }

    /** Groups the numbers of STATUS by the name of their metric. */
    private Map<String, Family> families(Map<String, Double> numbers) {
        Set<String> sums = new HashSet<>();
        for (String name : numbers.keySet()) {
            Matcher shard = OF_SHARD.matcher(name);
            if (shard.matches()) {
                sums.add(shard.group("name"));
            }
        }
        Map<String, Family> families = new TreeMap<>();
        numbers.forEach((name, value) -> {
            Matcher shard = OF_SHARD.matcher(name);
            if (shard.matches()) {
                put(shard.group("name"), own().add("shard", shard.group("shard")), value, families);
            } else if (!sums.contains(name)) {
                put(name, own(), value, families);
            }
        });
        return families;
    }

    private Labels own() {
        return Labels.of(
                "server", server.toString(), "role", server.role().name().toLowerCase(Locale.ROOT));
    }

    private static void put(String status, Labels labels, double value, Map<String, Family> families) {
        MetricName name = MetricNames.of(status).orElseGet(() -> MetricName.unknown(status));
        Labels all = name.label()
                .map(label -> labels.add(label, status.substring(name.status().length())))
                .orElse(labels);
        families.computeIfAbsent(name.metric(), metric -> new Family(name, new HashMap<>()))
                .values()
                .put(all, value);
    }

    private HistogramSnapshot latencies(StatusReply now) {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(LATENCY).help("Time from a request's arrival to its reply, by kind.");
        for (KindLatency told : now.getLatenciesList()) {
            LatencyCounts counts = LatencyCounts.of(told);
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            for (int i = 0; i < LatencyCounts.BUCKETS; i++) {
                buckets.bucket(LatencyCounts.boundMicros(i) / 1e6, counts.count(i));
            }
            histogram.dataPoint(HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets.build())
                    .sum(counts.sumMicros() / 1e6)
                    .labels(own().add("kind", told.getKind()))
                    .build());
        }
        return histogram.build();
    }

    private static CounterSnapshot counter(Family family) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name(family.name().metric())
                .help(family.name().help());
        family.values()
                .forEach((labels, value) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                        .value(Math.max(0, value))
                        .labels(labels)
                        .build()));
        return counter.build();
    }

    private static GaugeSnapshot gauge(Family family) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder()
                .name(family.name().metric())
                .help(family.name().help());
        family.values()
                .forEach((labels, value) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .value(value)
                        .labels(labels)
                        .build()));
        return gauge.build();
    }
}
