package io.steadfs.hadoop;

import io.steadfs.client.list.FileInfo;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * Is Hadoop's status of a file, directory or symbolic link, and keeps the attributes and the layout. So opening a file
 * with its status, or asking for the file's blocks, needs no request. The blocks are computed only if a caller asks for
 * the blocks. Serialization turns the status into a plain {@link LocatedFileStatus}.
 */
final class SteadFileStatus extends LocatedFileStatus {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Gives the block locations of a file. */
    interface Locator {
        BlockLocation[] locate(FileInfo file) throws IOException;
    }

    private final transient FileInfo info;
    private final transient Locator locator;
    private transient BlockLocation @Nullable [] located;

    SteadFileStatus(FileInfo info, Path path, Locator locator) {
        super(
                info.length(),
                info.directory(),
                isFile(info) ? info.replication() : 0,
                isFile(info) ? info.blockSize() : 0,
                info.modificationTime(),
                info.accessTime(),
                new FsPermission((short) info.mode()),
                info.owner(),
                info.group(),
                symlink(info),
                path,
                NONE,
                null);
        this.info = info;
        this.locator = locator;
    }

    private static @Nullable Path symlink(FileInfo info) {
        return info.linkTarget().map(SymbolicLinks::target).orElse(null);
    }

    private Path symlinkNow() {
        try {
            return getSymlink();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFile(FileInfo info) {
        return !info.directory() && info.linkTarget().isEmpty();
    }

    /** The attributes in the shard's answer. */
    FileInfo info() {
        return info;
    }

    /**
     * The attributes, if the attributes suffice to open the file. Empty for a directory, and for a file without a
     * layout.
     */
    Optional<FileInfo> readable() {
        return info.directory() || info.layout().isEmpty() ? Optional.empty() : Optional.of(info);
    }

    @Override
    public BlockLocation @Nullable [] getBlockLocations() {
        if (!isFile()) {
            return isDirectory() ? null : new BlockLocation[0];
        }
        BlockLocation[] known = located;
        if (known == null) {
            try {
                known = locator.locate(info);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            located = known;
        }
        return known;
    }

    // Two statuses are equal if their paths are equal, as in every FileStatus.
    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Serial
    private Object writeReplace() throws ObjectStreamException {
        return new LocatedFileStatus(
                getLen(),
                isDirectory(),
                getReplication(),
                getBlockSize(),
                getModificationTime(),
                getAccessTime(),
                getPermission(),
                getOwner(),
                getGroup(),
                isSymlink() ? symlinkNow() : null,
                getPath(),
                NONE,
                getBlockLocations());
    }
}
