package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;

/**
 * The path of a walk, for people.
 *
 * @param prefix names the start, where the walk does not begin at the root
 */
record PathText(String prefix, FsPath path) {
    static PathText of(Handle start, FsPath path) {
        String prefix = start.equals(Handle.ROOT) ? "/" : path.isRoot() ? start.toString() : start + "/";
        return new PathText(prefix, path);
    }

    String whole() {
        return prefix + path.relative();
    }

    /** The first components of the path, up to this number. */
    String to(int count) {
        return prefix + String.join("/", path.components().subList(0, count));
    }
}
