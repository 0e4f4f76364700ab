package io.steadfs.store.mark;

import java.io.IOException;

/** A store is an older state of itself. The message names it, since when changes are missing, and what helps. */
public final class OlderStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public OlderStoreException(String message) {
        super(message);
    }
}
