package io.steadfs.checksum;

/**
 * Calculates with chunks, the pieces of a datafile that have one checksum each. Chunks are aligned to the datafile's
 * offset 0. The chunk size is part of the wire format and of the disk format.
 */
public final class Chunks {
    /** Number of bytes that one CRC32C covers. */
    public static final int CHUNK_BYTES = 64 * 1024;

    private Chunks() {}

    /** Number of the chunk that holds the byte at the offset. */
    public static long chunkOf(long offset) {
        return offset / CHUNK_BYTES;
    }

    /** Offset of the first byte of the chunk that holds the offset. */
    public static long floor(long offset) {
        return offset - offset % CHUNK_BYTES;
    }

    /** Number of chunks that hold the given number of bytes. The last chunk may be shorter than the others. */
    public static long count(long lengthBytes) {
        return (lengthBytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    }
}
