package io.steadfs.lab.bench;

import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.pace.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the creates of one protocol took, in all rounds together.
 *
 * @param uri address of the cluster
 * @param roundSeconds duration of each round, from the common start of the clients to the end of the last client
 * @param create time from the start of each create until create returned
 * @param whole time from the start of each create until close returned
 * @param createSteps sum of the steps of all creates
 * @param wholeSteps sum of the steps of create, write and close of all files
 * @param counted growth of the servers' counters in all rounds
 * @param sent number of messages that the clients sent, by kind of message
 */
record CreateResult(
        String uri,
        CreatePlan plan,
        Protocol protocol,
        List<Double> roundSeconds,
        Latencies create,
        Latencies whole,
        long createSteps,
        long wholeSteps,
        Counters counted,
        SortedMap<String, Long> sent) {

    /**
     * Kinds of messages for upkeep, which are no part of a create. Upkeep messages are sent at times that do not depend
     * on creates.
     */
    private static final Set<String> UPKEEP = Set.of(
            "CLUSTER_MAP",
            "STATUS",
            "OPEN_SESSION",
            "RENEW_SESSION",
            "CLOSE_SESSION",
            "CONFIRM_DATAFILES",
            "ACKNOWLEDGE_DATAFILES",
            "SEAL",
            "REMOVE",
            "SESSION_STATUS",
            "INTENT_STATUS",
            "FENCE_SESSIONS",
            "RENEW_LEASES",
            "END_LEASES",
            "FENCE_HANDLES");

    /**
     * Kinds of messages that shards send each other because of a create with its metafile on a random shard. NOTIFY
     * tells a shard that metafiles have names now; one NOTIFY covers many files. STAT_HANDLES asks whether a metafile
     * belongs to the caller and has no name yet. LINK waits for the answer to STAT_HANDLES.
     */
    private static final Set<String> BETWEEN_SERVERS = Set.of("NOTIFY", "STAT_HANDLES");

    CreateResult {
        roundSeconds = List.copyOf(roundSeconds);
    }

    double seconds() {
        return roundSeconds.stream().mapToDouble(Double::doubleValue).sum();
    }

    double createsPerSecond() {
        return plan.allFiles() / seconds();
    }

    /** Average number of messages for create, write and close of one file. The servers count the messages. */
    double messages() {
        return messagesByKind().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    SortedMap<String, Double> messagesByKind() {
        return perFile(counted.messages());
    }

    private SortedMap<String, Double> perFile(SortedMap<String, Long> counts) {
        TreeMap<String, Double> perFile = new TreeMap<>();
        counts.forEach((kind, count) -> {
            if (!UPKEEP.contains(kind) && !BETWEEN_SERVERS.contains(kind)) {
                perFile.put(kind, perFile(count));
            }
        });
        return perFile;
    }

    private SortedMap<String, Long> betweenServers() {
        TreeMap<String, Long> between = new TreeMap<>(counted.messages());
        between.keySet().retainAll(BETWEEN_SERVERS);
        return between;
    }

    /** Average number of steps of one create. */
    double stepsOfCreate() {
        return perFile(createSteps);
    }

    private SortedMap<String, Long> upkeep() {
        TreeMap<String, Long> upkeep = new TreeMap<>(counted.messages());
        upkeep.keySet().retainAll(UPKEEP);
        return upkeep;
    }

    /** Divides the count by the number of files, and rounds the quotient to four decimals. */
    private double perFile(long count) {
        return Math.round((double) count / plan.allFiles() * 10_000) / 10_000.0;
    }

    String json() {
        return Json.line(fields());
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("bench", "create");
        fields.put("uri", uri);
        fields.put("protocol", protocol.toString());
        fields.put("clients", plan.clients());
        fields.put("filesPerClient", plan.files());
        fields.put("bytes", plan.bytes());
        fields.put("dirs", plan.shared() ? "shared" : "split");
        fields.put("expectedFiles", plan.expectedFiles());
        fields.put("width", plan.width());
        fields.put("stripSize", plan.stripSize());
        fields.put("warmUpFilesPerClient", plan.warmUp());
        fields.put("files", plan.allFiles());
        fields.put("seconds", Math.round(seconds() * 1000) / 1000.0);
        fields.put("createsPerSecond", Math.round(createsPerSecond() * 10) / 10.0);
        fields.put("latencyMicros", ordered("create", create.micros(), "createWriteClose", whole.micros()));

        Map<String, Object> perCreate = new LinkedHashMap<>();
        perCreate.put("messages", messages());
        perCreate.put("messagesByKind", messagesByKind());
        perCreate.put("sentByClient", perFile(sent));
        perCreate.put("steps", ordered("create", perFile(createSteps), "createWriteClose", perFile(wholeSteps)));
        perCreate.put("fsyncs", ordered("mds", perFile(counted.fsyncs("mds")), "io", perFile(counted.fsyncs("io"))));
        fields.put("perCreate", perCreate);
        fields.put("messagesBetweenServers", betweenServers());
        fields.put("upkeepMessages", upkeep());
        return fields;
    }

    private static Map<String, Object> ordered(String first, Object firstValue, String second, Object secondValue) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, firstValue);
        map.put(second, secondValue);
        return map;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append(format(
                "%,d files of %,d bytes by %d clients in %s, protocol %s, %s columns, on %s%n",
                plan.allFiles(),
                plan.bytes(),
                plan.clients(),
                plan.shared() ? "one directory" : "a directory each",
                protocol,
                plan.width() == 0 ? "default" : Integer.toString(plan.width()),
                uri));
        out.append(format("%n  %,.0f files a second (%.2f s)%n%n", createsPerSecond(), seconds()));

        TextTable latency = new TextTable(1, "latency, microseconds", "mean", "p50", "p99", "max");
        latency.row(cells("create", create.micros()));
        latency.row(cells("create, write, close", whole.micros()));
        out.append(latency).append('\n');

        TextTable perCreate = new TextTable(1, "for each file", "");
        messagesByKind().forEach((kind, count) -> perCreate.row("messages " + kind, count));
        perCreate.row("messages, all kinds", messages());
        perCreate.row("steps, create", perFile(createSteps));
        perCreate.row("steps, create, write, close", perFile(wholeSteps));
        perCreate.row("fsyncs, metadata server", perFile(counted.fsyncs("mds")));
        perCreate.row("fsyncs, IO servers", perFile(counted.fsyncs("io")));
        out.append(perCreate);
        if (!betweenServers().isEmpty()) {
            out.append(format("%nBetween servers, for all files together: %s%n", betweenServers()));
        }
        if (!upkeep().isEmpty()) {
            out.append(format("%nNot counted above, because no create caused it: %s%n", upkeep()));
        }
        return out.toString();
    }

    private static Object[] cells(String title, Map<String, Double> values) {
        List<Object> cells = new ArrayList<>(List.of(title));
        cells.addAll(values.values());
        return cells.toArray();
    }

    private static String format(String pattern, Object... arguments) {
        return String.format(Locale.ROOT, pattern, arguments);
    }
}
