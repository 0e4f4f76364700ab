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
 * Keeps the attributes and the layout of a file, so that opening the file and asking for its blocks need no request. Blocks are computed
 * when somebody asks for them. A serialized status becomes a plain {@link LocatedFileStatus}.
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
                info.directory() ? 0 : info.replication(),
                info.directory() ? 0 : info.blockSize(),
                info.modificationTime(),
                info.accessTime(),
                new FsPermission((short) info.mode()),
                info.owner(),
                info.group(),
                null,
                path,
                NONE,
                null);
        this.info = info;
        this.locator = locator;
    }

    /** The attributes as the shard answered them. */
    FileInfo info() {
        return info;
    }

    /** The attributes, if they suffice to read the file. */
    Optional<FileInfo> readable() {
        return info.directory() || info.layout().isEmpty() ? Optional.empty() : Optional.of(info);
    }

    @Override
    public BlockLocation @Nullable [] getBlockLocations() {
        if (isDirectory()) {
            return null;
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

    // Only the path counts, as in every FileStatus.
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
                null,
                getPath(),
                NONE,
                getBlockLocations());
    }
}
