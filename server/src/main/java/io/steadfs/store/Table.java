package io.steadfs.store;

/**
 * One ordered map of byte strings in a {@link Store}; a RocksDB column family. Keys compare as unsigned bytes.
 *
 * @param name of the column family
 * @param groupBytes number of first bytes of a key that name its group, 0 = no groups. Within a group new keys are mostly greater than all
 *     earlier ones, like the ids of requests within a session. So a store may know without a look that a key is new
 */
public record Table(String name, int groupBytes) {
    public Table {
        if (groupBytes < 0) {
            throw new IllegalArgumentException("table " + name + " with groups by " + groupBytes + " bytes");
        }
    }

    /** A table without groups. */
    public Table(String name) {
        this(name, 0);
    }
}
