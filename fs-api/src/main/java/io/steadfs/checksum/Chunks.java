package io.steadfs.checksum;

/** The unit of data checksums, aligned to a datafile's offset 0. Part of the wire and of the disk format. */
public final class Chunks {
    /** Bytes covered by one CRC32C. */
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

    /** Number of chunks in so many bytes. The last chunk may be partial. */
    public static long count(long lengthBytes) {
        return (lengthBytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    }
}
