package io.steadfs.fsck;

import io.steadfs.handle.Handle;

/** Gives the bounds of an owner's range of handles. A bound is never the handle of an object. */
final class Owners {
    private static final long NUMBERS = 0xffff_ffff_ffffL;

    private Owners() {}

    /** A bound that is below all handles of the owner and above all handles of lower owners. */
    static Handle first(int owner) {
        return new Handle((long) owner << 48);
    }

    /** A bound that is above all handles of the owner. */
    static Handle last(int owner) {
        return new Handle((long) owner << 48 | NUMBERS);
    }
}
