package io.steadfs.client.read;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * Consecutive bytes of a file that were compared with their checksums.
 *
 * @param start file offset of the first byte
 * @param bytes buffer with the bytes between its reader index and its writer index; the owner of the piece releases the
 *     buffer
 */
record Piece(long start, ByteBuf bytes) {
    long end() {
        return start + bytes.readableBytes();
    }

    /**
     * Copies those bytes of this piece that lie in a range of the file.
     *
     * @param from file offset where the range begins
     * @param to file offset after the last byte of the range
     * @param target buffer for the bytes
     * @param origin file offset of the byte at index 0 of the target
     */
    void copyTo(long from, long to, ByteBuffer target, long origin) {
        long first = Math.max(from, start);
        long last = Math.min(to, end());
        if (first < last) {
            ByteBuffer part = target.slice((int) (first - origin), (int) (last - first));
            bytes.getBytes(bytes.readerIndex() + (int) (first - start), part);
        }
    }

    /**
     * Moves the bytes to the Java heap, and releases this piece. A piece in the heap needs no release, because the
     * garbage collector frees its memory.
     */
    Piece inHeap() {
        try {
            return new Piece(start, Unpooled.copiedBuffer(bytes));
        } finally {
            bytes.release();
        }
    }

    /**
     * Returns a piece with the same bytes in less memory, if possible. A piece may be a small part of a large network
     * buffer, and then keeps the whole buffer in memory. In this case the method copies the bytes and releases the old
     * piece.
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
