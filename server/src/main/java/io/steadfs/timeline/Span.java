package io.steadfs.timeline;

import java.util.LinkedHashMap;
import java.util.Map;

/** A span of time from one moment to another, in nanoseconds on one clock. */
public record Span(long beginNanos, long endNanos) {
    public long nanos() {
        return endNanos - beginNanos;
    }

    long middle() {
        return beginNanos + nanos() / 2;
    }

    /** The same span on another clock, which is later by this much. */
    Span later(long nanos) {
        return new Span(beginNanos + nanos, endNanos + nanos);
    }

    boolean holds(long momentNanos) {
        return momentNanos >= beginNanos && momentNanos <= endNanos;
    }

    /** The fields in the order to print. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("beginNanos", beginNanos);
        fields.put("endNanos", endNanos);
        return fields;
    }
}
