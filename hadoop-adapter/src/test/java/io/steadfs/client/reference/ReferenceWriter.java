package io.steadfs.client.reference;

import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.io.ByteArrayOutputStream;

/** Appends to one file; the bytes become visible with a flush. */
final class ReferenceWriter implements FileWriter {
    private final Tree tree;
    private final Node file;
    private final String path;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final long generation;
    private boolean closed;

    ReferenceWriter(Tree tree, Node file, String path) {
        this.tree = tree;
        this.file = file;
        this.path = path;
        this.generation = file.writeGeneration;
        taken.writeBytes(file.bytes);
    }

    private void check() throws FsException {
        if (file.removed) {
            throw new FsException(FsError.NOT_FOUND, path + " was removed while it was written");
        }
        if (file.writeGeneration != generation) {
            throw new FsException(FsError.STALE_GENERATION, path + " was taken from its writer");
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        synchronized (tree) {
            taken.write(bytes, offset, length);
        }
    }

    @Override
    public long position() {
        synchronized (tree) {
            return taken.size();
        }
    }

    @Override
    public void hflush() throws FsException {
        synchronized (tree) {
            check();
            file.bytes = taken.toByteArray();
        }
    }

    @Override
    public void hsync() throws FsException {
        hflush();
    }

    @Override
    public void close() throws FsException {
        synchronized (tree) {
            if (closed) {
                return;
            }
            closed = true;
            hflush();
            file.open = false;
            file.length = file.bytes.length;
            file.modificationTime = tree.clock.getAsLong();
            file.version++;
        }
    }
}
