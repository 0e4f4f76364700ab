package io.steadfs.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * All known messages of one operation, in the order in which they were sent. Times count from the first message.
 *
 * @param problems servers that did not answer, one line each
 */
public record Timeline(long traceId, List<TimelineMessage> messages, List<String> problems) {
    /** Name of the client that gave us its own messages. */
    public static final String CLIENT = "client";

    /** Sender of a message whose client is not known. */
    public static final String UNKNOWN = "a client";

    /** The note about times of bars on different machines. */
    public static final String CLOCKS =
            "A server's bar is placed so that its middle is that of its sender's bar; where the"
                    + " sender is not known, by the middle of the question for it. So what lies within a bar is measured on one"
                    + " clock, and when exactly it lies within its sender's is not known.";

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

    /** The time from sending the first message to the last answer. */
    public long nanos() {
        return messages.stream().mapToLong(each -> each.bar().endNanos()).max().orElse(0);
    }

    /** All senders and receivers of messages: clients, then metadata servers, then IO servers. */
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

    /** The fields in the order to print; values are texts, numbers, lists and maps of these. */
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
