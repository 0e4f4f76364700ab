package io.steadfs.lab.torture;

import io.steadfs.cli.report.TextTable;
import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.lab.history.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The result of a run. Not thread-safe. */
final class TortureResult {
    private static final int MOST_LISTED = 200;

    private final TorturePlan plan;
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<String> impossible = new ArrayList<>();
    private final Map<String, Map<String, Long>> operations = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private final List<String> leftOver = new ArrayList<>();
    private final List<String> hangs = new ArrayList<>();
    private final List<String> growing = new ArrayList<>();
    private final List<Map<String, Object>> ends = new ArrayList<>();
    private final Map<String, Object> processes = new LinkedHashMap<>();
    private final Map<String, Long> partitions = new TreeMap<>();
    private Optional<Verdict> history = Optional.empty();
    private long acknowledgedOperations;
    private long acknowledgedBytes;
    private long foundThings;
    private long foundBytes;
    private long longestMillis;
    private long wellAfterMillis;
    private long restAfterMillis;

    TortureResult(TorturePlan plan) {
        this.plan = plan;
    }

    void faults(Map<FaultKind, Integer> counts, Collection<FaultKind> notHere, Optional<String> why) {
        counts.forEach((kind, count) -> faults.put(kind.label(), count));
        notHere.forEach(kind -> impossible.add(kind.label() + ": " + why.orElse("")));
    }

    void operation(Event event) {
        operations.computeIfAbsent(event.op().name(), key -> new TreeMap<>()).merge(event.outcome(), 1L, Long::sum);
        if (event.endNanos() != Event.NEVER) {
            longestMillis = Math.max(longestMillis, (event.endNanos() - event.beginNanos()) / 1_000_000);
        }
    }

    void difference(String what) {
        differences.add(what);
    }

    void leftOver(String what) {
        leftOver.add(what);
    }

    void hang(String what) {
        hangs.add(what);
    }

    void ends(List<Map<String, Object>> all) {
        ends.addAll(all);
    }

    void samples(Map<String, Object> report, List<String> grew) {
        processes.putAll(report);
        growing.addAll(grew);
    }

    /** @param counts least numbers of what was done with partitions of directories, by counter */
    void partitions(Map<String, Long> counts) {
        partitions.putAll(counts);
    }

    void checked(long operationCount, long byteCount) {
        acknowledgedOperations += operationCount;
        acknowledgedBytes += byteCount;
    }

    /** Adds the verdict on the histories. An undecided history is reported, but is not a difference. */
    void history(Verdict verdict) {
        history = Optional.of(verdict);
        verdict.violations().forEach(violation -> difference(violation.toString()));
    }

    void found(long things, long bytes) {
        foundThings = things;
        foundBytes = bytes;
    }

    void wellAfterMillis(long millis) {
        wellAfterMillis = millis;
    }

    void restAfterMillis(long millis) {
        restAfterMillis = millis;
    }

    List<String> differences() {
        return differences;
    }

    private int faultCount() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns whether all is well. */
    boolean verdict() {
        return differences.isEmpty() && leftOver.isEmpty() && hangs.isEmpty() && growing.isEmpty();
    }

    Map<String, Object> json(String version, String again, boolean kept) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verdict", verdict() ? "well" : "failed");
        json.put("seed", plan.seed());
        json.put("version", version);
        json.put("again", again);
        json.put("minutes", plan.seconds() / 60.0);
        json.put("mds", plan.mds());
        json.put("shards", plan.shards());
        json.put("io", plan.io());
        json.put("clients", plan.clients());
        json.put("threads", plan.threads());
        json.put("wide", plan.wide());
        json.put("protocol", plan.protocol().toString());
        json.put("faults", faultCount());
        json.put("faultKinds", faults.size());
        json.put("faultsByKind", faults);
        json.put("faultsNotPossibleHere", impossible);
        json.put("faultsLeftOut", plan.without().stream().map(FaultKind::label).toList());
        json.put("operations", operations);
        json.put("longestOperationMillis", longestMillis);
        json.put("acknowledgedOperationsChecked", acknowledgedOperations);
        json.put("acknowledgedBytesChecked", acknowledgedBytes);
        history.ifPresent(verdict -> json.put("sharedHistory", json(verdict)));
        json.put("partitions", partitions);
        json.put("entriesFound", foundThings);
        json.put("bytesRead", foundBytes);
        json.put("differenceCount", differences.size());
        json.put("differences", differences.stream().limit(MOST_LISTED).toList());
        json.put("leftOver", leftOver.stream().limit(MOST_LISTED).toList());
        json.put("hangs", hangs.stream().limit(MOST_LISTED).toList());
        json.put("wellAfterMillis", wellAfterMillis);
        json.put("restAfterMillis", restAfterMillis);
        json.put("growing", growing);
        json.put("processes", processes);
        json.put("endedByThemselves", ends);
        json.put("directory", kept ? plan.directory().toString() : "");
        return json;
    }

    private static Map<String, Object> json(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("names", verdict.names());
        json.put("namesBelowMovedDirectories", verdict.unsteadyNames());
        json.put("operations", verdict.operations());
        json.put("configurations", verdict.configurations());
        json.put("violations", verdict.violations().size());
        json.put("undecidedCount", verdict.undecided().size());
        json.put("undecided", verdict.undecided().stream().limit(MOST_LISTED).toList());
        return json;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        TextTable kinds = new TextTable(1, "fault", "times");
        faults.forEach((kind, count) -> kinds.row(kind, count));
        text.append(faultCount())
                .append(" faults of ")
                .append(faults.size())
                .append(" kinds\n")
                .append(kinds);
        impossible.forEach(
                what -> text.append("  not possible here: ").append(what).append('\n'));
        plan.without()
                .forEach(
                        kind -> text.append("  left out: ").append(kind.label()).append('\n'));
        TextTable answers = new TextTable(1, "operation", "acknowledged", "refused", "unknown");
        operations.forEach((op, outcomes) -> answers.row(
                op,
                outcomes.getOrDefault("OK", 0L),
                outcomes.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals("OK") && !unknown(entry.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum(),
                outcomes.entrySet().stream()
                        .filter(entry -> unknown(entry.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum()));
        text.append('\n').append(answers).append('\n');
        text.append("acknowledged and checked: ").append(acknowledgedOperations).append(" operations, ");
        text.append(acknowledgedBytes)
                .append(" bytes; found ")
                .append(foundThings)
                .append(" entries\n");
        history.ifPresent(verdict -> text.append("shared names: an order was looked for of ")
                .append(verdict.operations())
                .append(" operations on ")
                .append(verdict.names())
                .append(" names; ")
                .append(verdict.unsteadyNames())
                .append(" names below moved directories left out, undecided ")
                .append(verdict.undecided().size())
                .append('\n'));
        text.append("of partitions, at least: ").append(partitions).append('\n');
        text.append("longest operation ").append(longestMillis).append(" ms; servers well ");
        text.append(wellAfterMillis)
                .append(" ms after healing, at rest ")
                .append(restAfterMillis)
                .append(" ms\n");
        text.append("processes that ended by themselves: ").append(ends.size()).append('\n');
        history.ifPresent(verdict -> list(text, "undecided", verdict.undecided()));
        list(text, "difference", differences);
        list(text, "left over", leftOver);
        list(text, "hang", hangs);
        list(text, "grows", growing);
        return text.toString();
    }

    private static boolean unknown(String outcome) {
        return !outcome.equals("OK")
                && (outcome.equals(Event.NONE) || FsError.valueOf(outcome).resolver() != Resolver.CALLER);
    }

    private static void list(StringBuilder text, String title, List<String> lines) {
        text.append(title)
                .append(": ")
                .append(lines.isEmpty() ? "none" : Integer.toString(lines.size()))
                .append('\n');
        lines.stream()
                .limit(MOST_LISTED)
                .forEach(line -> text.append("  ").append(line).append('\n'));
    }
}
