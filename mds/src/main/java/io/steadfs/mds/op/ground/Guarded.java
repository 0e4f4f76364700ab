package io.steadfs.mds.op.ground;

/** An object with an owner, a group and permission bits. */
public interface Guarded {
    /** POSIX permission bits, including the sticky bit. */
    int mode();

    String owner();

    String group();
}
