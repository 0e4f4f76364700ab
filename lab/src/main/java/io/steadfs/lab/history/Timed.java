package io.steadfs.lab.history;

/**
 * A step at one moment between two times. The step was certainly taken only if its end is known.
 *
 * @param endNanos latest moment of the step; {@link Operation#NEVER} = the change may be made late or never. A look
 *     always has an end.
 * @param source the operation that the step belongs to
 */
record Timed(Step step, long beginNanos, long endNanos, Operation source) {
    /** Returns whether the step was certainly taken. */
    boolean certain() {
        return endNanos != Operation.NEVER;
    }

    /** Returns the same change with an unknown outcome. */
    Timed perhaps() {
        return new Timed(step, beginNanos, Operation.NEVER, source);
    }
}
