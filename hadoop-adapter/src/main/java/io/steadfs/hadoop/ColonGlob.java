package io.steadfs.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.jspecify.annotations.Nullable;

/**
 * Lets Hadoop's globbing work on names with colons. Globbing makes a path from a directory and a bare name. If the name
 * has a colon, globbing fails, because Hadoop takes the part before the colon as a scheme. So this class replaces each
 * colon by another character before globbing sees the name. The other character is a noncharacter of Unicode, which
 * real names do not contain.
 */
final class ColonGlob extends FilterFileSystem {
    private static final char SHOWN = '\uFDD0';

    ColonGlob(FileSystem files) {
        super(files);
    }

    private static Path exchange(Path path, char from, char to) {
        String text = path.toUri().getPath();
        return text.indexOf(from) < 0
                ? path
                : new Path(path.toUri().getScheme(), path.toUri().getAuthority(), text.replace(from, to));
    }

    private static Path shown(Path path) {
        return exchange(path, ':', SHOWN);
    }

    private static Path real(Path path) {
        return exchange(path, SHOWN, ':');
    }

    private static FileStatus shown(FileStatus status) {
        status.setPath(shown(status.getPath()));
        return status;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return shown(super.getFileStatus(real(path)));
    }

    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
        return getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        FileStatus[] listed = super.listStatus(real(path));
        for (FileStatus status : listed) {
            shown(status);
        }
        return listed;
    }

    /** Returns the files that match the pattern, under their real names. */
    FileStatus @Nullable [] find(Path pattern, PathFilter filter) throws IOException {
        FileStatus[] found = globStatus(shown(pattern), path -> filter.accept(real(path)));
        if (found != null) {
            for (FileStatus status : found) {
                status.setPath(real(status.getPath()));
            }
        }
        return found;
    }
}
