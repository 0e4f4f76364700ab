package io.steadfs.lab.history;

/**
 * A step that was taken at one moment between two times, or may have been taken.
 *
 * @param endNanos latest time of the step; {@link Operation#NEVER} for a change that may be made late or never
 * @param source the operation to which the step belongs
 */
record Timed(Step step, long beginNanos, long endNanos, Operation source) {
    /** Whether the step was certainly taken. */
    boolean certain() {
        return endNanos != Operation.NEVER;
    }

    /** Returns the same change with an unknown outcome. */
    Timed perhaps() {
        return new Timed(step, beginNanos, Operation.NEVER, source);
    }
}
