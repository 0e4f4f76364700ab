package io.steadfs.mds.op.ground;

/** Whose an object is and who may do what with it. */
public interface Guarded {
    /** POSIX permission bits with sticky. */
    int mode();

    String owner();

    String group();
}
