package io.steadfs.ioserver.file;

import io.steadfs.disk.Disk;
import io.steadfs.handle.Handle;
import java.io.IOException;

/**
 * The files of large datafiles: one file for each datafile, named by its handle. Tests replace this interface to
 * simulate a disk. Thread-safe for different handles. One thread creates, writes, truncates and deletes the file of a
 * handle, while other threads may read the file.
 *
 * <p>After a crash, a file has the bytes and the length of its last {@link DataFile#sync}. After a crash, a file exists
 * if it existed at the last {@link #syncDirectory} of its directory. Later changes may survive, in part or not at all.
 *
 * <p>Every method throws {@link io.steadfs.disk.NoSpaceException} if the disk is full, and another IOException if the
 * disk is broken.
 */
public interface DataFiles extends Disk, AutoCloseable {
    /** Makes an empty file. If the handle has a file already, the file is emptied. */
    DataFile create(Handle handle) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if the handle has no file */
    DataFile open(Handle handle) throws IOException;

    /** Deletes the file. Does nothing if the handle has no file. */
    void delete(Handle handle) throws IOException;

    /** Makes all creations and deletions in the directory so far durable. */
    void syncDirectory(int directory) throws IOException;

    /** Number of the directory that holds the handle's file. */
    int directoryOf(Handle handle);

    /** Visits every file, in no particular order. The visitor may delete or cut the file that it gets. */
    void visit(Visitor visitor) throws IOException;

    /** The location of the handle's file, for messages to operators. */
    String locationOf(Handle handle);

    @Override
    void close();

    /** Receives one file. */
    @FunctionalInterface
    interface Visitor {
        void file(Handle handle, long sizeBytes) throws IOException;
    }
}
