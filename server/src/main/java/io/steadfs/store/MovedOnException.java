package io.steadfs.store;

/**
 * Says that the state which a {@link Store#glance} reads is no longer available. Readers meet this exception in normal
 * operation, so it has no stack trace.
 */
public final class MovedOnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MovedOnException() {
        super("the state has moved on", null, false, false);
    }
}
