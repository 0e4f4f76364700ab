package io.steadfs.store;

/**
 * One ordered map of byte strings in a {@link Store}; a RocksDB column family. Keys compare as unsigned bytes.
 *
 * @param name of the column family
 * @param groupBytes so many first bytes of a key name a group within which new keys are mostly greater than all before, as ids of requests
 *     within a session are: a store may know then that one is new without a look; 0 = there are none
 */
public record Table(String name, int groupBytes) {
    public Table {
        if (groupBytes < 0) {
            throw new IllegalArgumentException("table " + name + " with groups by " + groupBytes + " bytes");
        }
    }

    /** Without such groups. */
    public Table(String name) {
        this(name, 0);
    }
}
