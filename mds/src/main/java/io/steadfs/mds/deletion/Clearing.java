package io.steadfs.mds.deletion;

/** Says how far one step has cleared a directory of a cut-off tree. */
public enum Clearing {
    /** Nothing is left of the directory. */
    DONE,
    /** The directory needs another step. */
    MORE,
    /**
     * Renames of other shards hold the names that are left in the directory. The directory needs another step later.
     */
    HELD
}
