package io.steadfs.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads and writes the row, in a store's table of facts, that says that the store is not settled. A salvage writes this
 * row. A start that accepts an older state also writes this row. Rows of an unsettled store may be lost or old, so a
 * missing row proves nothing. While this row exists, servers do not take a missing row as a reason to remove anything.
 * A check settles the store and removes this row.
 */
public final class Unsettled {
    /** The first words of the reason why a salvaged store is not settled. */
    public static final String SALVAGED = "salvaged at ";

    /** The first words of the reason why a store with an older state is not settled. */
    public static final String OLDER = "with an older state, of ";

    private static final byte[] KEY = "unsettled".getBytes(StandardCharsets.US_ASCII);

    private Unsettled() {}

    /** The problem that the owner's STATUS shows. */
    public static String problem(String owner, String why) {
        return owner + ", " + why
                + ", is not settled: what it does not know may be lost, so nothing is removed because of that; run bin/stead fsck "
                + (isSalvaged(why) ? "--scrub " : "") + "--repair until it finds nothing, which ends this";
    }

    /**
     * Whether the store is not settled because of a salvage. After a salvage, only a comparison of all bytes with their
     * checksums finds every loss.
     */
    public static boolean isSalvaged(String why) {
        return why.startsWith(SALVAGED);
    }

    /** Why the store is not settled, and since when; empty if the store is settled. */
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
