package io.steadfs.client;

import io.steadfs.path.FsPath;

/** The two paths of a rename. */
record FromTo(FsPath source, FsPath target) {
    @Override
    public String toString() {
        return source + " -> " + target;
    }
}
