package io.steadfs.client.write;

import io.steadfs.error.FsException;
import java.io.Closeable;
import java.io.IOException;

/**
 * The one writer of an open file. It appends. Thread-safe. After an error every later call throws the same error (but {@link #close} throws
 * it at most once).
 */
public interface FileWriter extends Closeable {
    /** Takes the bytes; they may wait in memory, a bounded number of them. */
    void write(byte[] bytes, int offset, int length) throws FsException;

    /** Where in the file the next byte goes. */
    long position();

    /** Returns when all bytes taken so far are visible to new readers, and counted in the length that others are told. */
    void hflush() throws FsException;

    /** As {@link #hflush}, and all bytes taken so far are on stable storage of every copy. */
    void hsync() throws FsException;

    /** Makes the bytes durable (unless configured otherwise), records the length and gives the file up. Idempotent. */
    @Override
    void close() throws IOException;
}
