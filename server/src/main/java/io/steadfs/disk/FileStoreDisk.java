package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The disk of the operating system's file system that holds a directory. */
public final class FileStoreDisk implements Disk {
    private final Path directory;
    private final FileStore store;

    /** @param directory an existing directory */
    public FileStoreDisk(Path directory) throws IOException {
        this.directory = directory;
        this.store = Files.getFileStore(directory);
    }

    @Override
    public long capacityBytes() throws IOException {
        return store.getTotalSpace();
    }

    @Override
    public long freeBytes() throws IOException {
        return store.getUsableSpace();
    }

    @Override
    public String place() {
        return directory.toString();
    }
}
