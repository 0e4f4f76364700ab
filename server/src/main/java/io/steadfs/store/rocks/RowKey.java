package io.steadfs.store.rocks;

import io.steadfs.store.Table;
import java.util.Arrays;

/** A row's table and key, as a key of maps. */
final class RowKey {
    private final Table table;
    private final byte[] key;
    private final int hash;

    /** @param key must not be changed afterwards */
    RowKey(Table table, byte[] key) {
        this.table = table;
        this.key = key;
        this.hash = 31 * Arrays.hashCode(key) + table.hashCode();
    }

    Table table() {
        return table;
    }

    /** The first eight bytes of the key as a number; a shorter key is padded with zeros. */
    long prefix() {
        long prefix = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            prefix = prefix << 8 | (i < key.length ? key[i] & 0xff : 0);
        }
        return prefix;
    }

    /**
     * Whether the row is one of several in a group ({@link Table#groupBytes}). A group that begins with 0xff does not count, because there
     * may be no key behind it.
     */
    boolean isInGroup() {
        return table.groupBytes() > 0 && key.length > table.groupBytes() && key[0] != (byte) 0xff;
    }

    /** The row's group. */
    RowKey group() {
        return new RowKey(table, Arrays.copyOf(key, table.groupBytes()));
    }

    /** The key's bytes. They must not be changed. */
    byte[] bytes() {
        return key;
    }

    int keyBytes() {
        return key.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey row
                && row.hash == hash
                && row.table.equals(table)
                && Arrays.equals(row.key, key);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
