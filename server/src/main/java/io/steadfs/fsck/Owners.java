package io.steadfs.fsck;

import io.steadfs.handle.Handle;

/** Handles of one owner are a range. Its bounds are no handles. */
final class Owners {
    private static final long NUMBERS = 0xffff_ffff_ffffL;

    private Owners() {}

    /** Before all handles of the owner, and behind those of the one before. */
    static Handle first(int owner) {
        return new Handle((long) owner << 48);
    }

    /** No handle of the owner is behind it. */
    static Handle last(int owner) {
        return new Handle((long) owner << 48 | NUMBERS);
    }
}
