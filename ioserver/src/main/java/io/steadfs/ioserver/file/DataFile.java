package io.steadfs.ioserver.file;

import io.netty.buffer.ByteBuf;
import io.steadfs.rpc.Payload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of {@link DataFiles}. While another thread writes, reading is safe below the length that the writer announced. */
public interface DataFile extends Closeable {
    long sizeBytes() throws IOException;

    /**
     * Fills the buffer from its position to its limit with the bytes at the offset.
     *
     * @throws java.io.EOFException if the file ends before that
     */
    void read(ByteBuffer target, long offset) throws IOException;

    /**
     * Writes all readable bytes of the buffer at the offset; the buffer's indexes stay. After a failure, any part of the bytes may have
     * been written.
     */
    void write(ByteBuf source, long offset) throws IOException;

    /** Makes bytes and size durable. After a failure, the bytes written since the last success may or may not be there. */
    void sync() throws IOException;

    /** Cuts the file to this size; harmless if it is no longer than that. */
    void truncate(long sizeBytes) throws IOException;

    /**
     * A range to send, without copying where the implementation can.
     *
     * @param whenReleased run once, when the payload is released
     */
    Payload region(long offset, long count, Runnable whenReleased) throws IOException;

    @Override
    void close() throws IOException;
}
