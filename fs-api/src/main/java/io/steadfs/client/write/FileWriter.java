package io.steadfs.client.write;

import io.steadfs.error.FsException;
import java.io.Closeable;
import java.io.IOException;

/**
 * The one writer of an open file. It appends. Thread-safe. After an error every later call throws the same error (but {@link #close} throws
 * it at most once).
 */
public interface FileWriter extends Closeable {
    /** Takes the bytes. They may wait in memory, up to a bound. */
    void write(byte[] bytes, int offset, int length) throws FsException;

    /** Position in the file of the next byte. */
    long position();

    /** Returns when all bytes taken so far are visible to new readers, and counted in the length that shards answer. */
    void hflush() throws FsException;

    /** As {@link #hflush}. In addition all bytes taken so far are on stable storage of every copy. */
    void hsync() throws FsException;

    /** Makes the bytes durable (unless configured otherwise), records the length and gives the file up. Idempotent. */
    @Override
    void close() throws IOException;
}
