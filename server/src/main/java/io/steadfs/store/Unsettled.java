package io.steadfs.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A row of a store's table of facts, put there by a salvage, or where an older state was taken for the store: rows are lost or of before, so that something is
 * not there proves nothing. Until a check of the file system has settled what is what, and the row is taken away, nothing is removed because the store does not know it.
 */
public final class Unsettled {
    /** How the text of a salvaged store begins. */
    public static final String SALVAGED = "salvaged at ";

    /** How the text of an older state begins. */
    public static final String OLDER = "with an older state, of ";

    private static final byte[] KEY = "unsettled".getBytes(StandardCharsets.US_ASCII);

    private Unsettled() {}

    /** What a status says of it. */
    public static String problem(String owner, String why) {
        return owner + ", " + why
                + ", is not settled: what it does not know may be lost, so nothing is removed because of that; run bin/stead fsck "
                + (isSalvaged(why) ? "--scrub " : "") + "--repair until it finds nothing, which ends this";
    }

    /** Whether bytes may be lost that only their comparison with their checksums shows. */
    public static boolean isSalvaged(String why) {
        return why.startsWith(SALVAGED);
    }

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
