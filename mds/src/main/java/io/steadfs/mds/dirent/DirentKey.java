package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.partition.NameHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A name in a directory, as a key of the dirent table. The name is encoded once for all reads and records of a
 * decision:
 *
 * <pre>
 * +--------------------+--------------+----------------+
 * | directory handle 8 | name hash 8  | name, UTF-8    |
 * +--------------------+--------------+----------------+
 * </pre>
 *
 * Keys sort by directory, then by hash. So the names of a directory are one range, and the names of one partition are a
 * range within it.
 */
public final class DirentKey {
    static final int HASH_AT = Long.BYTES;
    static final int NAME_AT = 2 * Long.BYTES;

    private final byte[] bytes;
    private final long hash;

    private DirentKey(byte[] bytes, long hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    public static DirentKey of(Handle directory, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[NAME_AT + utf8.length];
        System.arraycopy(utf8, 0, bytes, NAME_AT, utf8.length);
        return new DirentKey(bytes, fill(bytes, directory));
    }

    /** @param bytes key of a row that a scan met; the caller must not change the array afterwards */
    static DirentKey ofRow(byte[] bytes) {
        return new DirentKey(bytes, Keys.longAt(bytes, HASH_AT));
    }

    /** The same name in another directory. */
    public DirentKey in(Handle directory) {
        byte[] copy = bytes.clone();
        Keys.putLong(copy, 0, directory.value());
        return new DirentKey(copy, hash);
    }

    private static long fill(byte[] bytes, Handle directory) {
        long hash = NameHash.of(bytes, NAME_AT, bytes.length - NAME_AT);
        Keys.putLong(bytes, 0, directory.value());
        Keys.putLong(bytes, HASH_AT, hash);
        return hash;
    }

    public Handle directory() {
        return new Handle(Keys.longAt(bytes, 0));
    }

    /** The hash of the name. The hash decides which partition of the directory holds the name. */
    public long hash() {
        return hash;
    }

    public String name() {
        return nameIn(bytes);
    }

    static String nameIn(byte[] key) {
        return new String(key, NAME_AT, key.length - NAME_AT, StandardCharsets.UTF_8);
    }

    /** The hash in an encoded key. */
    public static long hashIn(byte[] key) {
        return Keys.longAt(key, HASH_AT);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DirentKey key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "dirent '" + name() + "' of " + directory();
    }
}
