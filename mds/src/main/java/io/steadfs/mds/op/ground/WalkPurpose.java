package io.steadfs.mds.op.ground;

/** What a walk wants with the last name of its path. This matters if another shard owns the name. */
enum WalkPurpose {
    /** To use the object. A copy of the name says where the object is, if it is a directory. */
    USE,
    /** To add, remove or change the name. The shard of the name does that. */
    CHANGE,
    /** To add the name, or to use the directory to which it leads. */
    CHANGE_OR_ENTER,
    /** To hold the name, wherever it is. */
    HOLD
}
