package io.steadfs.ioserver.file;

import io.steadfs.disk.Disk;
import io.steadfs.handle.Handle;
import java.io.IOException;

/**
 * The files of large datafiles, one each, named by handle: the disk as a seam. Thread-safe for different handles; one
 * handle is created, written, truncated and deleted by one thread, while others read it.
 *
 * <p>What survives a crash: bytes and length as of the last {@link DataFile#sync}; the existence or absence of a file as
 * of the last {@link #syncDirectory} of its directory. What was changed since may have survived in part, or not.
 *
 * <p>Every method throws {@link io.steadfs.disk.NoSpaceException} where the disk is full, another IOException where it is broken.
 */
public interface DataFiles extends Disk, AutoCloseable {
    /** Makes an empty file; one of that name that is there is emptied. */
    DataFile create(Handle handle) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if there is none */
    DataFile open(Handle handle) throws IOException;

    /** Deletes the file; none is harmless. */
    void delete(Handle handle) throws IOException;

    /** Makes creations and deletions so far in the directory durable. */
    void syncDirectory(int directory) throws IOException;

    /** Number of the directory that holds the handle's file. */
    int directoryOf(Handle handle);

    /** Visits every file there is, in no order; the visitor may delete or cut the file that it is shown. */
    void visit(Visitor visitor) throws IOException;

    /** Where the handle's file is, for messages to the operator. */
    String locationOf(Handle handle);

    @Override
    void close();

    /** Sees one file. */
    @FunctionalInterface
    interface Visitor {
        void file(Handle handle, long sizeBytes) throws IOException;
    }
}
