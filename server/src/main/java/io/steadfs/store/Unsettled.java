package io.steadfs.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A row of a store's table of facts, put there by a salvage: rows of the store are lost or of before, so that something is not there proves nothing.
 * Until a check of the file system has settled what is what, and the row is taken away, nothing is removed because the store does not know it.
 */
public final class Unsettled {
    private static final byte[] KEY = "unsettled".getBytes(StandardCharsets.US_ASCII);

    private Unsettled() {}

    /** Why, and since when; empty for a store that is to be trusted. */
    public static Optional<String> of(ReadView view, Table facts) {
        return view.get(facts, KEY).map(value -> new String(value, StandardCharsets.UTF_8));
    }

    public static void mark(WriteView view, Table facts, String why) {
        view.put(facts, KEY, why.getBytes(StandardCharsets.UTF_8));
    }

    public static void settle(WriteView view, Table facts) {
        view.delete(facts, KEY);
    }
}
