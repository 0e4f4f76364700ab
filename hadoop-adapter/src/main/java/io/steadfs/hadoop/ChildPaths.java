package io.steadfs.hadoop;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.Path;

/**
 * Makes the paths of a directory's entries. Hadoop's constructor for a path below a path parses scheme, host and all names of the directory
 * anew for each entry, and takes longer than all the rest of a listing. This class parses only the entry's own name, where the result is
 * the same. Thread-safe.
 */
final class ChildPaths {
    private static final boolean[] PLAIN = plain();

    private final Path directory;
    private final URI base;

    /** @param directory with scheme and host */
    ChildPaths(Path directory) {
        this.directory = directory;
        this.base = base(directory.toUri());
    }

    /** The directory's URI made from its parts, as Hadoop makes paths: without a query or a fragment, and with characters quoted anew. */
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

    /** @param name of an entry, or of an entry further below together with its directories' names; no component is empty, "." or ".." */
    Path of(String name) {
        return isPlain(name)
                ? new Path(base.resolve(URI.create(name)))
                // Not made from its text alone: a colon in a name would be taken for the end of a scheme.
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
