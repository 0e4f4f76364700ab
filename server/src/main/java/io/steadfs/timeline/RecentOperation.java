package io.steadfs.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operation as the servers' last messages show it.
 *
 * @param agoNanos since its first message arrived, about
 * @param nanos from then to the last answer, about
 * @param kinds of its messages, each once, in the order of their arrival
 * @param servers that had any of them
 */
public record RecentOperation(
        long traceId, long agoNanos, long nanos, int messages, List<String> kinds, List<String> servers) {
    public RecentOperation {
        kinds = List.copyOf(kinds);
        servers = List.copyOf(servers);
    }

    /** In the order to print. */
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
