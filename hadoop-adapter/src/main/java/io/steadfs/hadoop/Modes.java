package io.steadfs.hadoop;

import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Converts Hadoop's permissions to the permission bits in requests. */
final class Modes {
    static final int READ = 4;

    private static final int WRITE = 2;
    private static final int EXECUTE = 1;
    private static final int ALL_BITS = 01777;

    private Modes() {}

    /** The mode of an object: permission bits and the sticky bit. */
    static int of(FsPermission permission) {
        return permission.toShort() & ALL_BITS;
    }

    /** The bits that a user needs for the action. */
    static int of(FsAction action) {
        return (action.implies(FsAction.READ) ? READ : 0)
                | (action.implies(FsAction.WRITE) ? WRITE : 0)
                | (action.implies(FsAction.EXECUTE) ? EXECUTE : 0);
    }
}
