package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;

/**
 * The path of a walk, as text for messages.
 *
 * @param prefix text before the path: {@code /} for the root, otherwise the handle of the start
 */
record PathText(String prefix, FsPath path) {
    static PathText of(Handle start, FsPath path) {
        String prefix = start.equals(Handle.ROOT) ? "/" : path.isRoot() ? start.toString() : start + "/";
        return new PathText(prefix, path);
    }

    String whole() {
        return prefix + path.relative();
    }

    /** The first {@code count} components of the path. */
    String to(int count) {
        return prefix + String.join("/", path.components().subList(0, count));
    }
}
