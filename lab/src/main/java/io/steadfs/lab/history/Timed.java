package io.steadfs.lab.history;

/**
 * A step that was, or may have been, taken at one moment between two times.
 *
 * @param endNanos {@link Operation#NEVER} where it may be taken late or never; of a step that only looks, always earlier
 * @param source the operation that it is of
 */
record Timed(Step step, long beginNanos, long endNanos, Operation source) {
    /** Whether it was taken for certain. */
    boolean certain() {
        return endNanos != Operation.NEVER;
    }

    /** The same change, if it ever was made. */
    Timed perhaps() {
        return new Timed(step, beginNanos, Operation.NEVER, source);
    }
}
