package io.steadfs.mds.partition;

/** Whether a directory gives names now. */
public enum Begun {
    /** It keeps its names. */
    NO,
    /** It gives names. */
    GIVES,
    /** Its map changed. It may give names now. */
    CHANGED,
    /** It cannot be said yet: an intent holds one of the names, an earlier attempt is not undone, or a shard is silent. */
    LATER
}
