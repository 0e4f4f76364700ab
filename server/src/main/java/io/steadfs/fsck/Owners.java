package io.steadfs.fsck;

import io.steadfs.handle.Handle;

/** The handles of one owner are a range. The bounds given here are no handles themselves. */
final class Owners {
    private static final long NUMBERS = 0xffff_ffff_ffffL;

    private Owners() {}

    /** The bound before all handles of the owner, and behind those of the previous owner. */
    static Handle first(int owner) {
        return new Handle((long) owner << 48);
    }

    /** The bound behind which there is no handle of the owner. */
    static Handle last(int owner) {
        return new Handle((long) owner << 48 | NUMBERS);
    }
}
