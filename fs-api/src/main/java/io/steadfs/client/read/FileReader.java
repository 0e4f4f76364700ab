package io.steadfs.client.read;

import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one file at any position. Thread-safe. The length is fixed at open; of a file that is being written it is the length visible then.
 * Every byte returned was compared with its stored checksum. A mismatch is CORRUPT, and the message names file, offset and server.
 */
public interface FileReader extends Closeable {
    FileInfo info();

    /** Bytes visible to this reader. */
    long length();

    /**
     * Reads into the buffer from its position to its limit, or to the end of the file.
     *
     * @return bytes read; -1 at or beyond the end of the file
     */
    int read(long position, ByteBuffer target) throws FsException;

    /** As {@link #read}, without waiting. The buffer must not be touched until the future completes. */
    CompletableFuture<Integer> readAsync(long position, ByteBuffer target);

    /** Composite CRC32C of the whole file from stored checksums, as Hadoop's COMPOSITE_CRC defines it. */
    int compositeCrc() throws FsException;

    /** Gives back buffers and bytes fetched ahead, also those on their way. The reader stays usable. */
    void unbuffer();

    @Override
    void close();
}
