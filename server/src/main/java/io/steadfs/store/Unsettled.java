package io.steadfs.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A row of a store's table of facts that says that the store is not settled. A salvage writes it, and so does the start that accepts an
 * older state. Rows of such a store are lost or old, so the absence of a row proves nothing. Until a check of the file system settles the
 * store and removes this row, nothing is removed merely because the store does not know it.
 */
public final class Unsettled {
    /** How the text of a salvaged store begins. */
    public static final String SALVAGED = "salvaged at ";

    /** How the text of an older state begins. */
    public static final String OLDER = "with an older state, of ";

    private static final byte[] KEY = "unsettled".getBytes(StandardCharsets.US_ASCII);

    private Unsettled() {}

    /** The text for a status. */
    public static String problem(String owner, String why) {
        return owner + ", " + why
                + ", is not settled: what it does not know may be lost, so nothing is removed because of that; run bin/stead fsck "
                + (isSalvaged(why) ? "--scrub " : "") + "--repair until it finds nothing, which ends this";
    }

    /** Whether bytes may be lost in a way that only a comparison with their checksums shows. */
    public static boolean isSalvaged(String why) {
        return why.startsWith(SALVAGED);
    }

    /** Why the store is not settled, and since when; empty for a store that can be trusted. */
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
