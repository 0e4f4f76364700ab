package io.steadfs.it.power;

/**
 * A file or directory of one {@link Life} of a disk. Its number is used once in the life of the mount, so that nothing the
 * kernel remembers of a life counts in the next one. Guarded by the lock of {@link FuseServer}.
 */
abstract sealed class Node permits StoredFile, StoredDirectory {
    final Life life;
    final long number;
    /** Type and permissions, as in {@code stat}. */
    int mode;

    int uid;
    int gid;
    long modifiedMillis = System.currentTimeMillis();
    /** How often the kernel was told the number, and has not forgotten it. */
    long lookups;

    Node(Life life, int mode, int uid, int gid) {
        this.life = life;
        this.number = life.nextNumber();
        this.mode = mode;
        this.uid = uid;
        this.gid = gid;
    }

    abstract long size();
}
