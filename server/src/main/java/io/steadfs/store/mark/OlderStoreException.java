package io.steadfs.store.mark;

import java.io.IOException;

/**
 * Says that a store is an older state of itself. The message names the store, the time from which changes are missing,
 * and what the operator can do.
 */
public final class OlderStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public OlderStoreException(String message) {
        super(message);
    }
}
