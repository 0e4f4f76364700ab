package io.steadfs.ioserver.file;

import io.netty.buffer.ByteBuf;
import io.steadfs.rpc.Payload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open file of {@link DataFiles}. Other threads may read while one thread writes. A read is safe below the length
 * that the writer has announced.
 */
public interface DataFile extends Closeable {
    long sizeBytes() throws IOException;

    /**
     * Fills the buffer from its position to its limit with the bytes at the offset.
     *
     * @throws java.io.EOFException if the file ends before the buffer is full
     */
    void read(ByteBuffer target, long offset) throws IOException;

    /**
     * Writes all readable bytes of the buffer at the offset. The indexes of the buffer do not change. After a failure,
     * any part of the bytes may have been written.
     */
    void write(ByteBuf source, long offset) throws IOException;

    /**
     * Makes bytes and size durable. After a failed sync, any bytes written since the last successful sync may be
     * missing on the disk.
     */
    void sync() throws IOException;

    /** Cuts the file to the given size. Does nothing if the file is not longer. */
    void truncate(long sizeBytes) throws IOException;

    /**
     * A range of the file as a payload. The bytes are sent without being copied if the implementation can do so.
     *
     * @param whenReleased runs once, after the payload is released
     */
    Payload region(long offset, long count, Runnable whenReleased) throws IOException;

    @Override
    void close() throws IOException;
}
