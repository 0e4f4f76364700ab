package io.steadfs.mds.op.ground;

/**
 * What a walk wants with the last name of its path. This matters if another shard owns the name, or if the name is a
 * symbolic link.
 */
enum WalkPurpose {
    /** To use the object. A copy of the name says where the object is, if it is a directory. */
    USE,
    /** To look at what has the name, even if it is a symbolic link. */
    LOOK,
    /** To make an object with this name, or where the symbolic link with this name leads. */
    MAKE,
    /** As {@link #MAKE}, or to use the directory that is there. */
    MAKE_OR_ENTER,
    /** To add, remove or change the name. The shard of the name does that. */
    CHANGE,
    /** To add the name, or to use the directory to which it leads. */
    CHANGE_OR_ENTER,
    /** To hold the name, wherever it is. */
    HOLD;

    /** Whether the walk goes on behind a last name that is a symbolic link. */
    boolean followsLastLink() {
        return switch (this) {
            case USE, MAKE, MAKE_OR_ENTER -> true;
            case LOOK, CHANGE, CHANGE_OR_ENTER, HOLD -> false;
        };
    }

    /** Whether only the shard of the last name can serve the walk, if it is not a directory. */
    boolean belongsToNamesShard() {
        return this == CHANGE || this == MAKE;
    }

    /** Whether it matters to which object the last name leads, wherever the name is. */
    boolean wantsObject() {
        return switch (this) {
            case USE, LOOK, MAKE_OR_ENTER, CHANGE_OR_ENTER -> true;
            case MAKE, CHANGE, HOLD -> false;
        };
    }
}
