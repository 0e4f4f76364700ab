package io.steadfs.it.power;

/** A file. Bytes and size are forgotten unless synced; permissions, owner and times are not, nobody here relies on them. */
final class StoredFile extends Node {
    private static final int TYPE = 0100000;
    private static final int PERMISSIONS = 07777;

    final FileBytes bytes;

    StoredFile(Life life, int mode, int uid, int gid) {
        this(life, mode, uid, gid, new FileBytes());
    }

    StoredFile(Life life, int mode, int uid, int gid, FileBytes bytes) {
        super(life, TYPE | (mode & PERMISSIONS), uid, gid);
        this.bytes = bytes;
    }

    @Override
    long size() {
        return bytes.size();
    }

    void touch() {
        modifiedMillis = System.currentTimeMillis();
    }
}
