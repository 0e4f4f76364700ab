package io.steadfs.hadoop;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.Path;

/**
 * Makes the paths of a directory's entries. Hadoop's own constructor parses the directory's whole path again for each
 * entry. The constructor takes longer than all the rest of a listing. If a name has no special characters, this class
 * parses only the name of the entry. The resulting path is the same as with Hadoop's constructor. Thread-safe.
 */
final class ChildPaths {
    private static final boolean[] PLAIN = plain();

    private final Path directory;
    private final URI base;

    /** @param directory path of the directory, with scheme and host */
    ChildPaths(Path directory) {
        this.directory = directory;
        this.base = base(directory.toUri());
    }

    /**
     * Makes the directory's URI from its parts, in the same way as Hadoop makes paths. The URI has no query and no
     * fragment, and its special characters are quoted again.
     */
    private static URI base(URI directory) {
        String path = directory.getPath();
        try {
            return new URI(
                    directory.getScheme(),
                    directory.getAuthority(),
                    path.endsWith("/") ? path : path + "/",
                    null,
                    null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a directory without a URI: " + directory, e);
        }
    }

    /** @param name path of an entry, relative to the directory; no component is empty, "." or ".." */
    Path of(String name) {
        return isPlain(name)
                ? new Path(base.resolve(URI.create(name)))
                // A path made from the text alone would be wrong, because Hadoop takes the part before a colon as a
                // scheme.
                : new Path(directory, new Path(null, null, name));
    }

    /** Whether every character of the name stands for itself in a URI. */
    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            if (each >= PLAIN.length || !PLAIN[each]) {
                return false;
            }
        }
        return true;
    }

    private static boolean[] plain() {
        boolean[] plain = new boolean[128];
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=/"
                .chars()
                .forEach(each -> plain[each] = true);
        return plain;
    }
}
