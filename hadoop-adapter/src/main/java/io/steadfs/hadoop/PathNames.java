package io.steadfs.hadoop;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import io.steadfs.path.FsPath;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;

/**
 * Converts Hadoop's paths to ours. A path that was made from a URI may end in a slash, which means nothing.
 *
 * <p>A new name must have no colon, as in HDFS: Hadoop's programs put paths together from names, and take the part before a colon for a
 * scheme. An existing name with a colon can be looked at, moved and deleted.
 */
final class PathNames {
    private PathNames() {}

    /** @throws InvalidPathException for a path that no file can have */
    static FsPath of(Path path, Purpose purpose) throws IOException {
        String text = path.toUri().getPath();
        int end = text.length();
        while (end > 1 && text.charAt(end - 1) == '/') {
            end--;
        }
        try {
            return FsPath.parse(text.substring(0, end));
        } catch (FsException e) {
            if (e.error() == FsError.INVALID_ARGUMENT) {
                throw new InvalidPathException(path.toString(), e.getMessage());
            }
            // An object that is moved must exist already.
            throw HadoopErrors.translate(e, path.toString(), purpose == Purpose.MOVE ? Purpose.LOOK_UP : purpose);
        }
    }

    /** As {@link #of}, for a path that something new is to get. */
    static FsPath ofNew(Path path) throws IOException {
        FsPath parsed = of(path, Purpose.MAKE_ENTRY);
        checkColons(path);
        return parsed;
    }

    /** @throws InvalidPathException for a path that nothing new may get */
    static void checkColons(Path path) throws InvalidPathException {
        for (String name : path.toUri().getPath().split(Path.SEPARATOR, -1)) {
            if (name.indexOf(':') >= 0) {
                throw new InvalidPathException(path.toString(), "the name '" + name + "' has a colon");
            }
        }
    }
}
