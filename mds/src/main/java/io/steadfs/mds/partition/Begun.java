package io.steadfs.mds.partition;

/** Whether a directory gives names now. */
public enum Begun {
    /** It keeps its names. */
    NO,
    /** It gives names. */
    GIVES,
    /** Its map changed. It may give names now. */
    CHANGED,
    /** It cannot be said yet: an intent holds one of the names, or another shard does not answer. */
    LATER
}
