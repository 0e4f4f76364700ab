package io.steadfs.mds.op;

/** Whose an object is and who may do what with it. */
interface Guarded {
    /** POSIX permission bits with sticky. */
    int mode();

    String owner();

    String group();
}
