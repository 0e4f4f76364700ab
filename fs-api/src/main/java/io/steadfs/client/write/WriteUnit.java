package io.steadfs.client.write;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.steadfs.checksum.Chunks;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.rpc.Payload;
import io.steadfs.wire.proto.WriteRequest;
import java.util.zip.CRC32C;

/**
 * Bytes of one column that make one write request, with a CRC32C for each piece that a chunk boundary cuts off. A unit is filled, then sent
 * as often as needed. It owns its buffer until it is released; every send has a reference of its own.
 */
final class WriteUnit {
    /** Memory of a unit for which few bytes are expected. */
    static final int FIRST_CAPACITY = Chunks.CHUNK_BYTES;

    private final long offset;
    private final int limit;
    private final ByteBuf buffer;
    private final StreamMemory memory;
    /** Bytes of memory that were taken for it. */
    private int capacity;

    private final WriteRequest.Builder request = WriteRequest.newBuilder();
    private final CRC32C piece = new CRC32C();
    private boolean pieceBegun;

    /** Whether the server must make it durable before it answers. Not changed while the unit is in flight. */
    boolean sync;
    /** Whether it is in flight now. */
    boolean sent;
    /** Whether all bytes before it were acknowledged when it was last sent. */
    boolean sentBehindAcknowledged;

    /**
     * @param offset in the datafile
     * @param limit most bytes that it can take
     * @param capacity bytes of memory that were taken for it, and that it gives back
     */
    WriteUnit(long offset, int limit, int capacity, StreamMemory memory) {
        this.offset = offset;
        this.limit = limit;
        this.capacity = capacity;
        this.memory = memory;
        this.buffer = PooledByteBufAllocator.DEFAULT.directBuffer(capacity, limit);
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

    /** Bytes that still fit without more memory. */
    int room() {
        return capacity - length();
    }

    boolean isFull() {
        return length() == limit;
    }

    /** Tries to double its memory. Returns whether it did. */
    boolean grow() {
        int more = Math.min(capacity, limit - capacity);
        if (more == 0 || !memory.tryTake(more)) {
            return false;
        }
        try {
            buffer.capacity(capacity + more);
        } catch (OutOfMemoryError e) {
            memory.giveBack(more);
            return false;
        }
        capacity += more;
        return true;
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

    /** The request for this unit. The column adds the fields that it knows: datafile, metafile, index, generation. */
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
        memory.giveBack(capacity);
    }
}
