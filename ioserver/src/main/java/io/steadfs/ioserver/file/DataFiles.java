package io.steadfs.ioserver.file;

import io.steadfs.disk.Disk;
import io.steadfs.handle.Handle;
import java.io.IOException;

/**
 * The files of large datafiles, one each, named by handle: the seam for the disk. Thread-safe for different handles. A single handle is
 * created, written, truncated and deleted by one thread, while others read it.
 *
 * <p>These survive a crash: bytes and length as of the last {@link DataFile#sync}, and the existence or absence of a file as of the last
 * {@link #syncDirectory} of its directory. Later changes may survive, in part or not at all.
 *
 * <p>Every method throws {@link io.steadfs.disk.NoSpaceException} if the disk is full, and another IOException if it is broken.
 */
public interface DataFiles extends Disk, AutoCloseable {
    /** Makes an empty file. An existing file of that name is emptied. */
    DataFile create(Handle handle) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if there is none */
    DataFile open(Handle handle) throws IOException;

    /** Deletes the file; harmless if there is none. */
    void delete(Handle handle) throws IOException;

    /** Makes all creations and deletions so far in the directory durable. */
    void syncDirectory(int directory) throws IOException;

    /** Number of the directory that holds the handle's file. */
    int directoryOf(Handle handle);

    /** Visits every file, in no order. The visitor may delete or cut the file that it is given. */
    void visit(Visitor visitor) throws IOException;

    /** The location of the handle's file, for messages to the operator. */
    String locationOf(Handle handle);

    @Override
    void close();

    /** Gets one file. */
    @FunctionalInterface
    interface Visitor {
        void file(Handle handle, long sizeBytes) throws IOException;
    }
}
