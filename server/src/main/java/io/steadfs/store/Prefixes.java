package io.steadfs.store;

import java.util.Arrays;

/** Computes the ends of ranges of keys: the range of a common prefix, and the range of all keys. */
public final class Prefixes {
    private static final int ABOVE_ALL_BYTES = 1 << 11;

    private Prefixes() {}

    /**
     * A key that is above all keys of every table, and longer than any key. A range over a whole table has this key as
     * its exclusive end. The array belongs to the caller.
     */
    public static byte[] endOfAll() {
        byte[] end = new byte[ABOVE_ALL_BYTES];
        Arrays.fill(end, (byte) 0xff);
        return end;
    }

    /**
     * The exclusive end of the range of all keys with this prefix: the least key above all of them.
     *
     * @throws IllegalArgumentException if all bytes of the prefix are 0xff, because nothing is above all keys with such
     *     a prefix
     */
    public static byte[] endOf(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) 0xff) {
            last--;
        }
        if (last < 0) {
            throw new IllegalArgumentException("nothing sorts above a prefix of 0xff bytes");
        }
        byte[] end = Arrays.copyOf(prefix, last + 1);
        end[last]++;
        return end;
    }
}
