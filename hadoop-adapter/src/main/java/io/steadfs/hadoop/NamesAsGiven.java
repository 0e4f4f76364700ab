package io.steadfs.hadoop;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Shows Hadoop's globbing each file under the name that was asked for, also where the name is a symbolic link. Programs
 * such as {@code fs -rm} and {@code fs -mv} act on the paths that globbing returns. With the path behind the link they
 * would remove or move what the link leads to.
 */
final class NamesAsGiven extends FilterFileSystem {
    NamesAsGiven(FileSystem files) {
        super(files);
    }

    /** The status behind a link, or that of the link if it leads to nothing that the caller can reach. */
    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        FileStatus status = found(path);
        status.setPath(makeQualified(path));
        return status;
    }

    private FileStatus found(Path path) throws IOException {
        try {
            return super.getFileStatus(path);
        } catch (IOException e) {
            Optional<FileStatus> link = link(path);
            if (link.isPresent()) {
                return link.get();
            }
            throw e;
        }
    }

    private Optional<FileStatus> link(Path path) {
        try {
            return Optional.of(super.getFileLinkStatus(path)).filter(FileStatus::isSymlink);
        } catch (IOException e) {
            FileSystem.LOG.debug("{} is no link either", path, e);
            return Optional.empty();
        }
    }
}
