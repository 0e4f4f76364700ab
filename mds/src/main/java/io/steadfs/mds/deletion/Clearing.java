package io.steadfs.mds.deletion;

/** Progress in clearing a directory of a tree, after one step. */
public enum Clearing {
    /** Nothing is left of the directory. */
    DONE,
    /** The directory needs another step. */
    MORE,
    /** Only names that renames of other shards hold are left. The directory needs another step later. */
    HELD
}
