package io.steadfs.hadoop;

import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * An absolute path of a file system, to which scheme and authority are added only where they are shown. To add them takes as long as
 * a tenth of an operation, because Hadoop parses the path again.
 *
 * @param path the path as the caller gave it, made absolute
 */
record AbsolutePath(URI fileSystem, Path path) {
    /** The path with scheme and authority, for results. */
    Path qualified() {
        return path.makeQualified(fileSystem, path);
    }

    /** The path with scheme and authority, for messages. */
    @Override
    public String toString() {
        return qualified().toString();
    }
}
