package io.steadfs.store;

/** The state that a {@link Store#glance} looks at is not to be had any more. Carries no stack trace: it is ordinary. */
public final class MovedOnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MovedOnException() {
        super("the state has moved on", null, false, false);
    }
}
