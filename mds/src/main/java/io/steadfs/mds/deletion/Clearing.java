package io.steadfs.mds.deletion;

/** How the clearing of a tree's directory stands after a step. */
public enum Clearing {
    /** Nothing is left of it. */
    DONE,
    /** It needs another step. */
    MORE,
    /** All that is left are names that renames of other shards hold: it needs another step later. */
    HELD
}
