package io.steadfs.store.rocks;

import io.steadfs.store.Table;
import java.util.Arrays;

/** Identifies a row by its table and key, for use as a key of maps. */
final class RowKey {
    private final Table table;
    private final byte[] key;
    private final int hash;

    /** @param key the row's key. The caller must not change the array afterwards */
    RowKey(Table table, byte[] key) {
        this.table = table;
        this.key = key;
        this.hash = 31 * Arrays.hashCode(key) + table.hashCode();
    }

    Table table() {
        return table;
    }

    /** The first eight bytes of the key as a number. A shorter key is padded with zeros. */
    long prefix() {
        long prefix = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            prefix = prefix << 8 | (i < key.length ? key[i] & 0xff : 0);
        }
        return prefix;
    }

    /**
     * Whether the row belongs to a group ({@link Table#groupBytes}). A row whose key begins with 0xff belongs to no
     * group, because there may be no key behind such a group.
     */
    boolean isInGroup() {
        return table.groupBytes() > 0 && key.length > table.groupBytes() && key[0] != (byte) 0xff;
    }

    /** The key of the row's group. */
    RowKey group() {
        return new RowKey(table, Arrays.copyOf(key, table.groupBytes()));
    }

    /** The key's bytes. Callers must not change the array. */
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
