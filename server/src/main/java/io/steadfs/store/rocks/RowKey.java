package io.steadfs.store.rocks;

import io.steadfs.store.Table;
import java.util.Arrays;

/** A row's place, as a key of maps. */
final class RowKey {
    private final Table table;
    private final byte[] key;
    private final int hash;

    /** @param key not changed from here on */
    RowKey(Table table, byte[] key) {
        this.table = table;
        this.key = key;
        this.hash = 31 * Arrays.hashCode(key) + table.hashCode();
    }

    Table table() {
        return table;
    }

    /** The first eight bytes of the key as a number; of a shorter one as if zeros followed. */
    long prefix() {
        long prefix = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            prefix = prefix << 8 | (i < key.length ? key[i] & 0xff : 0);
        }
        return prefix;
    }

    /** Whether it is one of several in a group ({@link Table#groupBytes}); a group that begins with 0xff, behind which there may be no key, is none. */
    boolean isInGroup() {
        return table.groupBytes() > 0 && key.length > table.groupBytes() && key[0] != (byte) 0xff;
    }

    /** The group it is in. */
    RowKey group() {
        return new RowKey(table, Arrays.copyOf(key, table.groupBytes()));
    }

    /** Not to be changed. */
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
