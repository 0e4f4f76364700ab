package io.steadfs.client.write;

import io.steadfs.error.FsException;
import java.io.Closeable;
import java.io.IOException;

/**
 * Appends bytes to an open file as the file's only writer. Thread-safe. After an error every later call throws the same
 * error. The method {@link #close} throws the error at most once.
 */
public interface FileWriter extends Closeable {
    /** Takes the bytes. The writer may keep some bytes in memory, up to a bound, and send the bytes later. */
    void write(byte[] bytes, int offset, int length) throws FsException;

    /** File offset at which the next byte will be written. */
    long position();

    /**
     * Waits until new readers can see all bytes taken so far. After a flush, shards answer with a length that includes
     * all bytes taken before the flush.
     */
    void hflush() throws FsException;

    /**
     * Like the method {@link #hflush}, and also waits until all bytes taken so far are on stable storage in every copy.
     */
    void hsync() throws FsException;

    /**
     * Records the length and ends the writing of the file. By default, close first makes all bytes durable. Idempotent.
     */
    @Override
    void close() throws IOException;
}
