package io.steadfs.store;

/** Says that the store was closed before or during this call, because its owner is stopping. */
public final class StoreClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public StoreClosedException(String what) {
        super(what + " is closed");
    }
}
