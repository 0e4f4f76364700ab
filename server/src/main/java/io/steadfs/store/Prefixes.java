package io.steadfs.store;

import java.util.Arrays;

/** Ranges of keys: those with a common prefix, and all. */
public final class Prefixes {
    private static final int ABOVE_ALL_BYTES = 1 << 11;

    private Prefixes() {}

    /** Above all keys, and longer than any: the excluded end of a range over a whole table. The array belongs to the caller. */
    public static byte[] endOfAll() {
        byte[] end = new byte[ABOVE_ALL_BYTES];
        Arrays.fill(end, (byte) 0xff);
        return end;
    }

    /**
     * The least byte string above all that begin with the prefix: the excluded end of their range.
     *
     * @throws IllegalArgumentException for a prefix of nothing but 0xff bytes, above which there is none
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
