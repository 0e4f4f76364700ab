package io.steadfs.hadoop;

import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * The text of a path with scheme and authority, for messages. It is made only for a message: Hadoop parses a path again to make
 * it.
 *
 * @param path an absolute path of the file system
 */
record PathText(URI fileSystem, Path path) {
    @Override
    public String toString() {
        return path.makeQualified(fileSystem, path).toString();
    }
}
