package io.steadfs.ioserver.datafile;

import io.netty.buffer.ByteBuf;
import io.steadfs.checksum.Chunks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Cuts a range of a datafile at chunk boundaries, and computes the checksums of the pieces. */
public final class Pieces {
    private Pieces() {}

    /** The number of pieces of a range. */
    public static int count(long offset, long lengthBytes) {
        return lengthBytes == 0 ? 0 : (int) (Chunks.chunkOf(offset + lengthBytes - 1) - Chunks.chunkOf(offset)) + 1;
    }

    /** The length in bytes of the first piece of a range. */
    static int firstLength(long offset, long lengthBytes) {
        return (int) Math.min(lengthBytes, Chunks.floor(offset) + Chunks.CHUNK_BYTES - offset);
    }

    /** CRC32C of some bytes of a buffer. The buffer's indexes do not change. */
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

    /**
     * Checksums of all pieces of a buffer.
     *
     * @param offset offset in the datafile of the buffer's first readable byte
     */
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
     * Checksums of the pieces that are left after the first bytes of a range are skipped. Only a piece that the skip
     * cuts gets a new checksum.
     *
     * @param checksums checksums of the pieces of the whole range
     * @param offset offset of the first byte of the whole range
     * @param buffer the bytes that are left
     * @param from offset of the first byte that is left
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
