package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.partition.NameHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A place between two entries of a directory, in hash order. A place stays valid after its entry is removed. A cursor
 * holds a place in this form:
 *
 * <pre>
 * +-------------+--------------------------------------------+
 * | name hash 8 | name, UTF-8; empty = before all of the hash|
 * +-------------+--------------------------------------------+
 * </pre>
 */
public final class DirentPosition {
    /** The place before the first entry. */
    public static final DirentPosition START = new DirentPosition(new byte[Long.BYTES]);

    private final byte[] bytes;

    private DirentPosition(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The place before the first entry whose hash is the given one or higher. */
    public static DirentPosition before(long hash) {
        return new DirentPosition(Keys.of(hash));
    }

    /** The place directly behind the name. */
    public static DirentPosition after(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[Long.BYTES + utf8.length];
        Keys.putLong(bytes, 0, NameHash.of(utf8, 0, utf8.length));
        System.arraycopy(utf8, 0, bytes, Long.BYTES, utf8.length);
        return new DirentPosition(bytes);
    }

    /** The place directly behind an entry that a scan met. */
    static DirentPosition ofKey(byte[] key) {
        return new DirentPosition(Arrays.copyOfRange(key, DirentKey.HASH_AT, key.length));
    }

    /** Reads what {@link #encode} wrote. Empty if the bytes do not encode a place. */
    public static Optional<DirentPosition> decode(byte[] bytes, int maxNameBytes) {
        return bytes.length < Long.BYTES || bytes.length > Long.BYTES + maxNameBytes
                ? Optional.empty()
                : Optional.of(new DirentPosition(bytes.clone()));
    }

    public byte[] encode() {
        return bytes.clone();
    }

    /** Hash of the entry before this place. */
    public long hash() {
        return Keys.longAt(bytes, 0);
    }

    /** The least key of an entry behind this place. */
    byte[] firstKey(Handle directory) {
        boolean behindName = bytes.length > Long.BYTES;
        byte[] key = new byte[Long.BYTES + bytes.length + (behindName ? 1 : 0)];
        Keys.putLong(key, 0, directory.value());
        System.arraycopy(bytes, 0, key, Long.BYTES, bytes.length);
        return key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DirentPosition position && Arrays.equals(bytes, position.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
