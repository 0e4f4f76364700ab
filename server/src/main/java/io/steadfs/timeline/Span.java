package io.steadfs.timeline;

import java.util.LinkedHashMap;
import java.util.Map;

/** A time from one moment to another, in nanoseconds of one clock. */
public record Span(long beginNanos, long endNanos) {
    public long nanos() {
        return endNanos - beginNanos;
    }

    long middle() {
        return beginNanos + nanos() / 2;
    }

    /** The same span on another clock whose time is greater by this many nanoseconds. */
    Span later(long nanos) {
        return new Span(beginNanos + nanos, endNanos + nanos);
    }

    boolean holds(long momentNanos) {
        return momentNanos >= beginNanos && momentNanos <= endNanos;
    }

    /** The fields of the span, in the order in which they are printed. */
    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("beginNanos", beginNanos);
        fields.put("endNanos", endNanos);
        return fields;
    }
}
