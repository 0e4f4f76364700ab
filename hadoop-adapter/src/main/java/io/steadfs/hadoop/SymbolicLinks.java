package io.steadfs.hadoop;

import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import io.steadfs.path.FsPath;
import io.steadfs.path.LinkTarget;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnresolvedLinkException;

/**
 * Follows symbolic links. A call that meets a link is made again with the path to which the link leads. If that is in
 * another file system, the call fails with {@link UnresolvedLinkException}: Hadoop's {@code FileContext} goes on there
 * by itself, and Hadoop's {@code FileSystem} does not.
 */
final class SymbolicLinks {
    /**
     * Lets programs make links. Hadoop refuses that by itself, in a switch that all file systems of a process have in
     * common.
     */
    static final String ENABLED = "fs.symlinks.enabled";

    private SymbolicLinks() {}

    /** A call to the client. */
    interface Call<T> {
        T at(AbsolutePath path) throws IOException;
    }

    static void enableIfWanted(Configuration conf) {
        if (conf.getBoolean(ENABLED, false)) {
            FileSystem.enableSymlinks();
        }
    }

    /** @param ofTarget whether the path is the target of a rename, whose source somebody else follows */
    static <T> T follow(AbsolutePath path, boolean ofTarget, Call<T> call) throws IOException {
        AbsolutePath at = path;
        for (int met = 0; ; met++) {
            try {
                return call.at(at);
            } catch (LinkException link) {
                if (link.isOfTarget() != ofTarget) {
                    throw link;
                }
                if (met == LinkTarget.MOST_FOLLOWED) {
                    // Programs look for these words of Hadoop in the message.
                    throw new IOException("Possible cyclic loop while following symbolic link " + text(path), link);
                }
                at = goOn(at, link);
            }
        }
    }

    private static AbsolutePath goOn(AbsolutePath at, LinkException link) throws IOException {
        FsPath asked = PathNames.of(at, Purpose.LOOK_UP);
        Optional<String> here = pathHere(at.fileSystem(), link.target());
        if (here.isEmpty()) {
            IOException away = new UnresolvedLinkException(asked + " goes on in another file system: "
                    + LinkTarget.link(asked, link) + " is a symbolic link to " + link.target());
            away.initCause(link);
            throw away;
        }
        try {
            FsPath next = LinkTarget.goOn(asked, link, here.get());
            return new AbsolutePath(at.fileSystem(), new Path(null, null, next.toString()));
        } catch (FsException e) {
            throw HadoopErrors.translate(e, at.toString(), Purpose.LOOK_UP);
        }
    }

    /**
     * The place behind a link that leads to another file system: the link's target, and the rest of the path behind it.
     */
    static Path elsewhere(LinkException link) {
        Path target = target(link.target());
        return link.rest().isEmpty() ? target : new Path(target, new Path(null, null, link.rest()));
    }

    /** The target of the link with this path: a relative one as an absolute path. */
    static Path fromDirectory(FsPath link, Path target) {
        boolean isRelative = !target.isAbsolute() && target.toUri().getScheme() == null;
        return isRelative
                ? new Path(null, null, LinkTarget.from(link, target.toString()).toString())
                : target;
    }

    /** A link's target as Hadoop's path. Other programs may make links whose target Hadoop takes for no path. */
    static Path target(String text) {
        try {
            return new Path(text);
        } catch (IllegalArgumentException e) {
            return new Path(null, null, text);
        }
    }

    /** The path of a target that is in this file system; empty for a target in another one. */
    private static Optional<String> pathHere(URI fileSystem, String target) {
        if (LinkTarget.isPath(target)) {
            return Optional.of(target);
        }
        URI uri = target(target).toUri();
        boolean isHere = fileSystem.getScheme().equalsIgnoreCase(uri.getScheme())
                && fileSystem.getAuthority() != null
                && fileSystem.getAuthority().equalsIgnoreCase(uri.getAuthority());
        return isHere ? Optional.of(uri.getPath().isEmpty() ? "/" : uri.getPath()) : Optional.empty();
    }

    private static String text(AbsolutePath path) {
        return path.path().toUri().getPath();
    }
}
