package io.steadfs.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * All known messages of one operation, in the order of their sending. Time 0 is the sending of the first message.
 *
 * @param problems one line for each server that did not answer
 */
public record Timeline(long traceId, List<TimelineMessage> messages, List<String> problems) {
    /** The name of the client in this process. */
    public static final String CLIENT = "client";

    /** The name of an unknown sender. */
    public static final String UNKNOWN = "a client";

    /** Explains to people how bars from the clocks of different machines are placed. */
    public static final String CLOCKS =
            "A server's bar is placed so that its middle is the middle of its sender's bar. If the sender is not"
                    + " known, the bar is placed by the server's clock. Times within a bar are measured on one clock."
                    + " The exact place of a bar within its sender's bar is not known.";

    public Timeline {
        messages = List.copyOf(messages);
        problems = List.copyOf(problems);
    }

    static Timeline of(long traceId, List<TimelineMessage> messages, List<String> problems) {
        long begin = messages.stream()
                .mapToLong(each -> each.bar().beginNanos())
                .min()
                .orElse(0);
        return new Timeline(
                traceId,
                messages.stream()
                        .map(each -> each.later(-begin))
                        .sorted(Comparator.comparingLong(each -> each.bar().beginNanos()))
                        .toList(),
                problems);
    }

    /** The time from the sending of the first message to the last reply. */
    public long nanos() {
        return messages.stream().mapToLong(each -> each.bar().endNanos()).max().orElse(0);
    }

    /** All senders and receivers of messages, in the order: clients, metadata servers, IO servers. */
    public List<String> lanes() {
        TreeSet<String> all = new TreeSet<>(Comparator.comparingInt(Timeline::rank)
                .thenComparingInt(String::length)
                .thenComparing(name -> name));
        messages.forEach(each -> {
            all.add(each.sender());
            all.add(each.server());
        });
        return new ArrayList<>(all);
    }

    private static int rank(String lane) {
        return lane.startsWith("mds-") ? 1 : lane.startsWith("io-") ? 2 : 0;
    }

    /**
     * The fields of the timeline, in the order in which they are printed. The values are texts, numbers, lists and
     * maps.
     */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trace", Traces.name(traceId));
        fields.put("nanos", nanos());
        fields.put("lanes", lanes());
        fields.put("messages", messages.stream().map(TimelineMessage::fields).toList());
        fields.put("clocks", CLOCKS);
        fields.put("problems", problems);
        return fields;
    }
}
