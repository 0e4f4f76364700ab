package io.steadfs.ioserver.file;

import io.steadfs.disk.DiskFailure;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.OwnerOnly;
import io.steadfs.handle.Handle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * {@link DataFiles} on a local file system.
 *
 * <pre>
 *  data/                    below the server's data directory
 *    00/ .. ff/             made when the server first starts, never removed
 *      0001_00_000000002a   one datafile: its bytes from offset 0, nothing else
 * </pre>
 *
 * The directory of a handle is {@code (sequence >>> 14) & 0xff}. Handles that are made one after the other get the same
 * directory, so that one sync of a directory serves many new files. In the long run all directories get equally many
 * files. The name of a file is its datafile's handle, so no file is ever used for another datafile.
 */
public final class ChannelDataFiles implements DataFiles {
    private static final int DIRECTORIES = 256;
    private static final int SEQUENCE_SHIFT = 14;

    private final Path root;
    private final FileStore disk;

    /**
     * Opens the directory tree of the server's datafiles.
     *
     * @param root the top directory, which is made with its subdirectories if it does not exist, and is durable on
     *     return
     */
    public ChannelDataFiles(Path root) throws IOException {
        this.root = root;
        DurableDirectories.make(root);
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            Path path = directoryPath(directory);
            if (!Files.isDirectory(path)) {
                Files.createDirectory(path, OwnerOnly.directory());
            }
        }
        // The sync is always needed. Existing directories may come from a process that ended before it synced them.
        DurableDirectories.sync(root);
        disk = Files.getFileStore(root);
    }

    @Override
    public DataFile create(Handle handle) throws IOException {
        return open(
                handle,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Override
    public DataFile open(Handle handle) throws IOException {
        return open(handle, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private DataFile open(Handle handle, StandardOpenOption... options) throws IOException {
        Path path = path(handle);
        try {
            return new ChannelDataFile(path, FileChannel.open(path, Set.of(options), OwnerOnly.file()));
        } catch (IOException e) {
            throw DiskFailure.of(e, path);
        }
    }

    @Override
    public void delete(Handle handle) throws IOException {
        Files.deleteIfExists(path(handle));
    }

    @Override
    public void syncDirectory(int directory) throws IOException {
        DurableDirectories.sync(directoryPath(directory));
    }

    @Override
    public int directoryOf(Handle handle) {
        return (int) (handle.sequence() >>> SEQUENCE_SHIFT) % DIRECTORIES;
    }

    /** Visits the files. A file whose name is not a handle does not belong to the server and is skipped. */
    @Override
    public void visit(Visitor visitor) throws IOException {
        for (int directory = 0; directory < DIRECTORIES; directory++) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directoryPath(directory))) {
                for (Path file : files) {
                    Handle handle;
                    try {
                        handle = Handle.parse(String.valueOf(file.getFileName()));
                    } catch (IllegalArgumentException e) {
                        continue;
                    }
                    visitor.file(handle, Files.size(file));
                }
            }
        }
    }

    @Override
    public String locationOf(Handle handle) {
        return path(handle).toString();
    }

    @Override
    public long capacityBytes() throws IOException {
        return disk.getTotalSpace();
    }

    @Override
    public long freeBytes() throws IOException {
        return disk.getUsableSpace();
    }

    @Override
    public String place() {
        return root.toString();
    }

    @Override
    public void close() {
        // There is nothing to close, because this class keeps no file open.
    }

    private Path directoryPath(int directory) {
        return root.resolve(String.format("%02x", directory));
    }

    private Path path(Handle handle) {
        return directoryPath(directoryOf(handle)).resolve(handle.toString());
    }
}
