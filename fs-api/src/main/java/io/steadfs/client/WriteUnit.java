package io.steadfs.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.steadfs.checksum.Chunks;
import io.steadfs.rpc.Payload;
import io.steadfs.wire.proto.WriteRequest;
import java.util.zip.CRC32C;

/**
 * Bytes of one column that make one write request, with a CRC32C for each piece that a chunk boundary cuts off. Filled,
 * then sent as often as it takes. Owns its buffer until released; every send has a reference of its own.
 */
final class WriteUnit {
    private static final int FIRST_CAPACITY = Chunks.CHUNK_BYTES;

    private final long offset;
    private final int limit;
    private final ByteBuf buffer;
    private final WriteRequest.Builder request = WriteRequest.newBuilder();
    private final CRC32C piece = new CRC32C();
    private boolean pieceBegun;

    /** Whether the server is to make it durable before it answers; not changed while the unit is in flight. */
    boolean sync;
    /** In flight now. */
    boolean sent;
    /** Whether all bytes before it were acknowledged when it was last sent. */
    boolean sentBehindAcknowledged;

    /**
     * @param offset in the datafile
     * @param limit most bytes that it takes
     * @param full allocate for all of the limit at once: many bytes are expected
     */
    WriteUnit(long offset, int limit, boolean full) {
        this.offset = offset;
        this.limit = limit;
        this.buffer =
                PooledByteBufAllocator.DEFAULT.directBuffer(full ? limit : Math.min(limit, FIRST_CAPACITY), limit);
    }

    long offset() {
        return offset;
    }

    int length() {
        return buffer.writerIndex();
    }

    long end() {
        return offset + length();
    }

    int room() {
        return limit - length();
    }

    /** Takes bytes, at most {@link #room}. */
    void fill(byte[] bytes, int from, int count) {
        int done = 0;
        while (done < count) {
            long at = end();
            int leftInChunk = (int) (Chunks.CHUNK_BYTES - at % Chunks.CHUNK_BYTES);
            int step = Math.min(leftInChunk, count - done);
            buffer.writeBytes(bytes, from + done, step);
            piece.update(bytes, from + done, step);
            pieceBegun = true;
            if (step == leftInChunk) {
                endPiece();
            }
            done += step;
        }
    }

    private void endPiece() {
        request.addChecksums((int) piece.getValue());
        piece.reset();
        pieceBegun = false;
    }

    /** The request for this unit, without what the column knows: datafile, metafile, index, generation. */
    WriteRequest.Builder request() {
        if (pieceBegun) {
            endPiece();
        }
        return request.clone().setOffset(offset).setSync(sync);
    }

    Payload payload() {
        return new Payload.Bytes(buffer.retainedDuplicate());
    }

    void release() {
        buffer.release();
    }
}
