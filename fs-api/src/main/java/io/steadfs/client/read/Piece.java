package io.steadfs.client.read;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * Bytes of a file, compared with their checksums.
 *
 * @param start file offset of the first byte
 * @param bytes from reader index to writer index; the owner of the piece releases it
 */
record Piece(long start, ByteBuf bytes) {
    long end() {
        return start + bytes.readableBytes();
    }

    /** Copies the bytes in [from, to) to their place in the target, whose index 0 is the byte at {@code origin}. */
    void copyTo(long from, long to, ByteBuffer target, long origin) {
        long first = Math.max(from, start);
        long last = Math.min(to, end());
        if (first < last) {
            ByteBuffer part = target.slice((int) (first - origin), (int) (last - first));
            bytes.getBytes(bytes.readerIndex() + (int) (first - start), part);
        }
    }

    /** The same bytes in the heap. Such a piece holds none of the network's memory, and no memory is lost if nobody releases it. */
    Piece inHeap() {
        try {
            return new Piece(start, Unpooled.copiedBuffer(bytes));
        } finally {
            bytes.release();
        }
    }

    /**
     * The same bytes, copied if they hold much more memory than they need. They may be a part of a larger buffer that was read from the
     * network at once.
     */
    Piece compact() {
        ByteBuf root = bytes;
        while (root.unwrap() != null) {
            root = root.unwrap();
        }
        if (root.capacity() < 2 * bytes.readableBytes()) {
            return this;
        }
        ByteBuf copy;
        try {
            copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes.readableBytes());
        } catch (OutOfMemoryError e) {
            return this;
        }
        copy.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
        bytes.release();
        return new Piece(start, copy);
    }

    void release() {
        bytes.release();
    }
}
