package io.steadfs.mds.state;

import io.steadfs.store.Prefixes;
import java.util.Arrays;

/** Builds and reads the keys that are drawn in {@link ShardTables}. */
public final class Keys {
    private Keys() {}

    /** Makes a key of a 1-byte tag. */
    public static byte[] of(byte tag) {
        return new byte[] {tag};
    }

    /** Makes a key of one 8-byte number. */
    public static byte[] of(long a) {
        byte[] key = new byte[Long.BYTES];
        putLong(key, 0, a);
        return key;
    }

    /** Makes a key of a 1-byte tag and one 8-byte number. */
    public static byte[] of(byte tag, long a) {
        byte[] key = new byte[1 + Long.BYTES];
        key[0] = tag;
        putLong(key, 1, a);
        return key;
    }

    /** Makes a key of a 1-byte tag and two 8-byte numbers. */
    public static byte[] of(byte tag, long a, long b) {
        byte[] key = new byte[1 + 2 * Long.BYTES];
        key[0] = tag;
        putLong(key, 1, a);
        putLong(key, 1 + Long.BYTES, b);
        return key;
    }

    /** Makes a key of a 1-byte tag and three 8-byte numbers. */
    public static byte[] of(byte tag, long a, long b, long c) {
        byte[] key = new byte[1 + 3 * Long.BYTES];
        key[0] = tag;
        putLong(key, 1, a);
        putLong(key, 1 + Long.BYTES, b);
        putLong(key, 1 + 2 * Long.BYTES, c);
        return key;
    }

    public static void putLong(byte[] key, int at, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            key[at + i] = (byte) (value >>> (56 - 8 * i));
        }
    }

    public static long longAt(byte[] key, int at) {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (key[at + i] & 0xff);
        }
        return value;
    }

    /**
     * The least key above every key that begins with the prefix. A scan over the prefix ends before the returned key.
     */
    public static byte[] endOf(byte[] prefix) {
        return Prefixes.endOf(prefix);
    }

    /** The least key above the given key. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
