package io.steadfs.lab.history;

/**
 * One operation of one client.
 *
 * @param client with whatever else tells the operation from others
 * @param beginNanos when it was begun, not later
 * @param endNanos when the client was answered, not earlier; {@link #NEVER} where it never was
 */
public record Operation(String client, long beginNanos, long endNanos, Action action, Answer answer) {
    /** Later than any time. */
    public static final long NEVER = Long.MAX_VALUE;

    public Operation {
        if (endNanos < beginNanos) {
            throw new IllegalArgumentException(client + ": ends at " + endNanos + ", begins at " + beginNanos);
        }
        if (endNanos == NEVER && !(answer instanceof Answer.Unknown)) {
            throw new IllegalArgumentException(client + ": never ended, and was answered " + answer);
        }
    }

    /** Whether it may change a name. */
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
