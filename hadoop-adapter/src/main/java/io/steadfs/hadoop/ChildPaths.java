package io.steadfs.hadoop;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.Path;

/**
 * Makes the paths of a directory's entries. Hadoop's own constructor parses the directory's whole path again for each
 * entry. The constructor takes longer than all the rest of a listing. This class parses only the name of the entry. The
 * resulting path is the same as with Hadoop's constructor. Thread-safe.
 */
final class ChildPaths {
    private static final URI ROOT = URI.create("/");

    /** The ASCII characters that stand for themselves in the path of a URI. */
    private static final boolean[] PLAIN = plain();

    private final URI base;

    /** @param directory path of the directory, with scheme and host */
    ChildPaths(Path directory) {
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
        return new Path(base.resolve(ROOT.relativize(belowRoot(name))));
    }

    /**
     * The name as a path below the root. A URI that begins with a slash is parsed faster than a relative one, because
     * the parser need not look for the colon behind a scheme. So nothing before a colon in the name is taken for a scheme.
     */
    private static URI belowRoot(String name) {
        if (name.startsWith("/")) {
            throw new IllegalArgumentException("the name of an entry begins with a slash: " + name);
        }
        String path = "/" + name;
        if (isPlain(name)) {
            return URI.create(path);
        }
        try {
            return new URI(null, null, path, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a name that cannot be in a URI: " + name, e);
        }
    }

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
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!~'()*:@&=+$,;/"
                .chars()
                .forEach(each -> plain[each] = true);
        return plain;
    }
}
