package io.steadfs.timeline;

import io.steadfs.recent.RecentMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The recent operations of a cluster, built from the servers' recent messages.
 *
 * @param operations the operations, the newest first
 * @param problems one line for each server that did not answer
 */
public record RecentOperations(List<RecentOperation> operations, List<String> problems) {
    public RecentOperations {
        operations = List.copyOf(operations);
        problems = List.copyOf(problems);
    }

    private record Arrived(String server, RecentMessage message, Span bar) {}

    static RecentOperations of(List<Kept> kept, long nowNanos, List<String> problems) {
        Map<Long, List<Arrived>> byTrace = new LinkedHashMap<>();
        for (Kept each : kept) {
            for (RecentMessage message : each.messages()) {
                if (message.received() && message.traceId() != 0) {
                    Span bar = new Span(message.times().begun(), message.times().ended()).later(each.laterNanos());
                    byTrace.computeIfAbsent(message.traceId(), unused -> new ArrayList<>())
                            .add(new Arrived(each.server(), message, bar));
                }
            }
        }
        List<RecentOperation> operations = new ArrayList<>();
        byTrace.forEach((traceId, arrived) -> operations.add(operation(traceId, arrived, nowNanos)));
        operations.sort(Comparator.comparingLong(RecentOperation::agoNanos));
        return new RecentOperations(operations, problems);
    }

    private static RecentOperation operation(long traceId, List<Arrived> arrived, long nowNanos) {
        arrived.sort(Comparator.comparingLong(each -> each.bar().beginNanos()));
        long begin = arrived.get(0).bar().beginNanos();
        long end =
                arrived.stream().mapToLong(each -> each.bar().endNanos()).max().orElse(begin);
        return new RecentOperation(
                traceId,
                nowNanos - begin,
                end - begin,
                arrived.size(),
                arrived.stream()
                        .map(each -> each.message().kind().name())
                        .distinct()
                        .toList(),
                arrived.stream().map(Arrived::server).distinct().sorted().toList());
    }

    /** The fields, in the order in which they are printed. */
    public Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "operations", operations.stream().map(RecentOperation::fields).toList());
        fields.put("problems", problems);
        return fields;
    }
}
