package io.steadfs.store;

/**
 * An ordered map of byte strings in a {@link Store}. RocksDB calls such a table a column family. Keys are compared as
 * unsigned bytes.
 *
 * @param name the name of the column family
 * @param groupBytes the number of first bytes of a key that identify its group; 0 = no groups. A new key is mostly
 *     greater than all earlier keys of its group, like the ids of requests within a session. So a store may notice
 *     without a read that a key is new
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
