package io.steadfs.timeline;

/** Converts trace ids to and from the text that people see, also in logs: at most 16 hexadecimal digits. */
public final class Traces {
    private Traces() {}

    public static String name(long traceId) {
        return Long.toHexString(traceId);
    }

    /** Parses a trace id. @throws IllegalArgumentException naming the text if it is no trace id */
    public static long parse(String text) {
        try {
            long traceId = Long.parseUnsignedLong(text, 16);
            if (traceId != 0) {
                return traceId;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no trace id: up to 16 hexadecimal digits are", e);
        }
        throw new IllegalArgumentException("trace id 0 is that of messages without an operation");
    }
}
