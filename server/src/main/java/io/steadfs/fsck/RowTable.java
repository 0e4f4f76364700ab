package io.steadfs.fsck;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The table that has a finding's row, in the store of a shard or IO server. The work of a check stores a table by its
 * name, not by its number.
 */
public enum RowTable {
    /** The finding is about no row, or about several rows. */
    NONE,
    DIRENT,
    INODE,
    XATTR,
    PARTITION,
    MAP,
    GIVING,
    SESSION,
    /** Has the index of listed datafiles at a shard, and the rows of datafiles at an IO server. */
    DATAFILE,
    FENCE,
    POOL,
    DELETION,
    INTENT,
    OUTBOX,
    META,
    COLUMN,
    UNCONFIRMED,
    LEASE,
    GONE,
    SMALL,
    CHUNKS;

    /** The table's name; empty for {@link #NONE}. */
    public String label() {
        return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
    }

    /** The table with this name. If this release knows no such table, the result is {@link #NONE}. */
    public static RowTable of(String name) {
        Optional<RowTable> table = Arrays.stream(values())
                .filter(each -> each.label().equals(name))
                .findAny();
        return table.orElse(NONE);
    }
}
