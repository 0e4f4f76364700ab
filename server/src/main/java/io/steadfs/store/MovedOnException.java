package io.steadfs.store;

/**
 * The state that a {@link Store#glance} reads is no longer available. That happens in normal operation, so the exception has no stack
 * trace.
 */
public final class MovedOnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MovedOnException() {
        super("the state has moved on", null, false, false);
    }
}
