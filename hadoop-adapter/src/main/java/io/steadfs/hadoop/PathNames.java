package io.steadfs.hadoop;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import io.steadfs.path.FsPath;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;

/**
 * Converts Hadoop's paths to paths of SteadFS. A path from a URI may end in a slash. The conversion removes such a
 * slash, because the slash has no meaning.
 *
 * <p>A new name must not contain a colon, as in HDFS. Hadoop's programs make paths from names, and take the part before
 * a colon as a scheme. A program can read, move and delete an existing file whose name has a colon.
 */
final class PathNames {
    private PathNames() {}

    /** @throws InvalidPathException for a path that no file can have */
    static FsPath of(AbsolutePath path, Purpose purpose) throws IOException {
        String text = path.path().toUri().getPath();
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
            // A move counts as a look-up here, because the moved object must exist already.
            throw HadoopErrors.translate(e, path.toString(), purpose == Purpose.MOVE ? Purpose.LOOK_UP : purpose);
        }
    }

    /** Converts the path of a new file or directory. */
    static FsPath ofNew(AbsolutePath path) throws IOException {
        FsPath parsed = of(path, Purpose.MAKE_ENTRY);
        checkColons(path);
        return parsed;
    }

    /** @throws InvalidPathException if a name in the path has a colon */
    static void checkColons(AbsolutePath path) throws InvalidPathException {
        String text = path.path().toUri().getPath();
        if (text.indexOf(':') < 0) {
            return;
        }
        for (String name : text.split(Path.SEPARATOR, -1)) {
            if (name.indexOf(':') >= 0) {
                throw new InvalidPathException(path.toString(), "the name '" + name + "' has a colon");
            }
        }
    }
}
