package io.steadfs.store.mark;

import java.io.IOException;

/** A store is an older state of itself. The message names the store, since when changes are missing, and what to do. */
public final class OlderStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public OlderStoreException(String message) {
        super(message);
    }
}
