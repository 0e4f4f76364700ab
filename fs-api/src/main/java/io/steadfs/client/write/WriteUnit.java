package io.steadfs.client.write;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.steadfs.checksum.Chunks;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.rpc.Payload;
import io.steadfs.wire.proto.WriteRequest;
import java.util.zip.CRC32C;

/**
 * The bytes of one write request to one column. Chunk boundaries cut the bytes into pieces, and the unit has a CRC32C
 * for each piece. A unit is filled once and then sent as often as needed. The unit holds a reference to its buffer
 * until {@link #release}. Every send holds a reference of its own.
 */
final class WriteUnit {
    /** Initial memory of a unit if few bytes are expected. */
    static final int FIRST_CAPACITY = Chunks.CHUNK_BYTES;

    private final long offset;
    private final int limit;
    private final ByteBuf buffer;
    private final StreamMemory memory;
    /** Bytes of memory that the unit has taken. */
    private int capacity;

    private final WriteRequest.Builder request = WriteRequest.newBuilder();
    private final CRC32C piece = new CRC32C();
    private boolean pieceBegun;

    /**
     * Whether the server must make the unit durable before the server answers. Does not change while the unit is in
     * flight.
     */
    boolean sync;
    /** Whether the unit is in flight now. */
    boolean sent;
    /** Whether the server had acknowledged all earlier bytes of the column when the unit was last sent. */
    boolean sentBehindAcknowledged;

    /**
     * @param offset datafile offset of the unit's first byte
     * @param limit largest number of bytes that the unit can take
     * @param capacity bytes of memory that the caller has taken for the unit, and that the unit gives back
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

    /** Number of bytes that the unit can still take without more memory. */
    int room() {
        return capacity - length();
    }

    boolean isFull() {
        return length() == limit;
    }

    /**
     * Tries to double the memory of the unit, up to the unit's limit. Returns false if the unit is at its limit or no
     * more memory is free.
     */
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

    /** Takes bytes into the unit. The caller passes at most {@link #room} bytes. */
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

    /** The request for this unit. The caller adds datafile, metafile, index of the column, and write generation. */
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
