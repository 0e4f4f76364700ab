package io.steadfs.ioserver.datafile;

import io.netty.buffer.ByteBuf;
import io.steadfs.checksum.Chunks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A range of a datafile cut at chunk boundaries, and the checksums of the pieces. */
public final class Pieces {
    private Pieces() {}

    /** The number of pieces of a range. */
    public static int count(long offset, long lengthBytes) {
        return lengthBytes == 0 ? 0 : (int) (Chunks.chunkOf(offset + lengthBytes - 1) - Chunks.chunkOf(offset)) + 1;
    }

    /** The length of a range's first piece. */
    static int firstLength(long offset, long lengthBytes) {
        return (int) Math.min(lengthBytes, Chunks.floor(offset) + Chunks.CHUNK_BYTES - offset);
    }

    /** CRC32C of readable bytes of a buffer; its indexes stay. */
    public static int checksum(ByteBuf buffer, int index, int length) {
        CRC32C crc = new CRC32C();
        if (buffer.nioBufferCount() == 1) {
            crc.update(buffer.nioBuffer(index, length));
        } else {
            for (ByteBuffer part : buffer.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }

    /** Checksums of all pieces of a buffer whose first readable byte is at the offset. */
    public static int[] checksums(ByteBuf buffer, long offset) {
        int[] checksums = new int[count(offset, buffer.readableBytes())];
        int done = 0;
        for (int i = 0; i < checksums.length; i++) {
            int length = firstLength(offset + done, buffer.readableBytes() - done);
            checksums[i] = checksum(buffer, buffer.readerIndex() + done, length);
            done += length;
        }
        return checksums;
    }

    /**
     * Checksums of the pieces that are left when the first bytes of a range are skipped. They are the given ones, except for a piece that
     * is cut.
     *
     * @param buffer the bytes after the skipped ones
     * @param from offset of its first byte
     */
    public static int[] rest(int[] checksums, long offset, ByteBuf buffer, long from) {
        if (from == offset) {
            return checksums;
        }
        if (!buffer.isReadable()) {
            return new int[0];
        }
        int skipped = (int) (Chunks.chunkOf(from) - Chunks.chunkOf(offset));
        int[] rest = Arrays.copyOfRange(checksums, skipped, checksums.length);
        if (from % Chunks.CHUNK_BYTES != 0) {
            rest[0] = checksum(buffer, buffer.readerIndex(), firstLength(from, buffer.readableBytes()));
        }
        return rest;
    }
}
