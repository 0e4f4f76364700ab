package io.steadfs.client.read;

import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one file at any position. Thread-safe. The open fixes the length that a reader sees. If a session is writing
 * the file, the reader sees the length that was visible at the open. A reader returns only bytes that match their
 * stored checksums. If bytes do not match, the read fails with CORRUPT, and the message names file, offset and server.
 */
public interface FileReader extends Closeable {
    FileInfo info();

    /** Number of bytes that are visible to this reader. */
    long length();

    /**
     * Reads bytes into the buffer until the buffer is full or the file ends. While this thread waits, it may complete
     * futures of other calls. So it must hold no lock that is needed to complete these.
     *
     * @param position file offset of the first byte
     * @return number of bytes read; -1 if the position is at or beyond the end of the file
     */
    int read(long position, ByteBuffer target) throws FsException;

    /**
     * Like the method {@link #read}, but returns at once. The caller must not touch the buffer until the future
     * completes. What is done when the future completes must not wait, as {@link io.steadfs.client.AsyncSteadFs} says.
     */
    CompletableFuture<Integer> readAsync(long position, ByteBuffer target);

    /** Computes Hadoop's COMPOSITE_CRC of the whole file, with CRC32C, from stored checksums. */
    int compositeCrc() throws FsException;

    /** Gives back all buffers, including those of fetches under way. The reader stays usable. */
    void unbuffer();

    @Override
    void close();
}
