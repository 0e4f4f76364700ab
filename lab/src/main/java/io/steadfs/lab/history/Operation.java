package io.steadfs.lab.history;

/**
 * One operation of one client.
 *
 * @param client name of the client, with whatever else identifies the operation
 * @param beginNanos time at which the operation began, or an earlier time
 * @param endNanos time at which the client got the answer, or a later time; {@link #NEVER} = no answer came
 */
public record Operation(String client, long beginNanos, long endNanos, Action action, Answer answer) {
    /** A time that is later than all other times. */
    public static final long NEVER = Long.MAX_VALUE;

    public Operation {
        if (endNanos < beginNanos) {
            throw new IllegalArgumentException(client + ": ends at " + endNanos + ", begins at " + beginNanos);
        }
        if (endNanos == NEVER && !(answer instanceof Answer.Unknown)) {
            throw new IllegalArgumentException(client + ": never ended, and was answered " + answer);
        }
    }

    /** Returns whether the operation may change a name. */
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
