package io.steadfs.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Summarises one operation from the servers' recent messages.
 *
 * @param agoNanos the approximate time since the arrival of the operation's first message
 * @param nanos the approximate time from the arrival of the first message to the last reply
 * @param messages the number of messages that servers received
 * @param kinds the kinds of the messages in the order of their first arrival, each kind once
 * @param servers the servers that received a message of the operation
 */
public record RecentOperation(
        long traceId, long agoNanos, long nanos, int messages, List<String> kinds, List<String> servers) {
    public RecentOperation {
        kinds = List.copyOf(kinds);
        servers = List.copyOf(servers);
    }

    /** The fields of the operation, in the order in which they are printed. */
    public Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trace", Traces.name(traceId));
        fields.put("agoNanos", agoNanos);
        fields.put("nanos", nanos);
        fields.put("messages", messages);
        fields.put("kinds", kinds);
        fields.put("servers", servers);
        return fields;
    }
}
