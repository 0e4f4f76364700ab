package io.steadfs.lab.history;

/**
 * One operation of one client.
 *
 * @param client name of the client, with everything that identifies the operation
 * @param beginNanos time of the begin or an earlier time, in nanoseconds
 * @param endNanos time of the answer or a later time, in nanoseconds; {@link #NEVER} if the client got no answer
 */
public record Operation(String client, long beginNanos, long endNanos, Action action, Answer answer) {
    /** A time later than every other time. */
    public static final long NEVER = Long.MAX_VALUE;

    public Operation {
        if (endNanos < beginNanos) {
            throw new IllegalArgumentException(client + ": ends at " + endNanos + ", begins at " + beginNanos);
        }
        if (endNanos == NEVER && !(answer instanceof Answer.Unknown)) {
            throw new IllegalArgumentException(client + ": never ended, and was answered " + answer);
        }
    }

    /** Whether the operation may change a name. */
    boolean mayChange() {
        return !(answer instanceof Answer.Refused)
                && !(action instanceof Action.Look)
                && !(action instanceof Action.Listed);
    }

    @Override
    public String toString() {
        return String.format("%14.3f to %14s ms  %s: %s: %s", millis(beginNanos), end(), client, action, answer);
    }

    private String end() {
        return endNanos == NEVER ? "never" : String.format("%.3f", millis(endNanos));
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
