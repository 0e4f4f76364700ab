package io.steadfs.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operation as the servers' last messages show it.
 *
 * @param agoNanos about how long ago its first message arrived
 * @param nanos about how long it took from then to the last answer
 * @param kinds of its messages, each once, in the order of their arrival
 * @param servers that had any of its messages
 */
public record RecentOperation(
        long traceId, long agoNanos, long nanos, int messages, List<String> kinds, List<String> servers) {
    public RecentOperation {
        kinds = List.copyOf(kinds);
        servers = List.copyOf(servers);
    }

    /** The fields in the order to print. */
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
