package io.steadfs.lab.torture;

import java.nio.ByteBuffer;

/**
 * Computes the bytes of a file. Each byte depends on nothing but the file's id and the byte's offset, so every byte can
 * be checked alone.
 *
 * <p>The first eight bytes of a file are its id, big-endian. Bytes found under any name therefore tell which file they
 * belong to.
 */
final class Content {
    /** Number of bytes that hold the id. */
    static final int ID_BYTES = 8;

    private Content() {}

    /** Returns the bytes from {@code offset} to {@code offset + length}, the end excluded. */
    static byte[] bytes(long fileId, long offset, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(fileId, offset + i);
        }
        return bytes;
    }

    static byte at(long fileId, long offset) {
        long word = offset >>> 3;
        long value = word == 0 ? fileId : mixed(fileId + word * 0x9e3779b97f4a7c15L);
        return (byte) (value >>> (56 - 8 * (offset & 7)));
    }

    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /**
     * Compares the bytes between the buffer's position and its limit with the expected bytes of the file.
     *
     * @param offset offset in the file of the buffer's first byte
     * @return offset in the file of the first byte that differs; -1 = no byte differs
     */
    static long firstDifference(long fileId, long offset, ByteBuffer read) {
        for (int i = 0; i < read.remaining(); i++) {
            if (read.get(read.position() + i) != at(fileId, offset + i)) {
                return offset + i;
            }
        }
        return -1;
    }
}
