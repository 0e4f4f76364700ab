package io.steadfs.store;

/** The store was closed before or during this call; its owner is stopping. */
public final class StoreClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public StoreClosedException(String what) {
        super(what + " is closed");
    }
}
