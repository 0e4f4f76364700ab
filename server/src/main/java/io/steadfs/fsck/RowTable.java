package io.steadfs.fsck;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The table with a finding's row, in a shard's store or an IO server's. On disk a table is stored by its name, not its number. */
public enum RowTable {
    /** The finding is about no row, or about several. */
    NONE,
    DIRENT,
    INODE,
    XATTR,
    PARTITION,
    SESSION,
    /** For a shard, the index of listed datafiles. For an IO server, its datafiles. */
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

    /** The table's name; empty for none. */
    public String label() {
        return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
    }

    /** {@link #NONE} for a table that this release does not know. */
    public static RowTable of(String name) {
        Optional<RowTable> table = Arrays.stream(values())
                .filter(each -> each.label().equals(name))
                .findAny();
        return table.orElse(NONE);
    }
}
