package io.steadfs.store;

import java.util.Arrays;

/** Ranges of keys with a common prefix. */
public final class Prefixes {
    private Prefixes() {}

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
