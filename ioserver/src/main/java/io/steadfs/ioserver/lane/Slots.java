package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;

/**
 * Finds the lane that owns a datafile, from its handle alone or, before it has one, from its column.
 *
 * <p>A first write names (metafile, index) and must reach the lane that will own the datafile. Otherwise two tries of it could make two
 * datafiles on two lanes. So datafiles are distributed over a fixed number of slots. A column's slot is a hash, and a handle's slot is its
 * sequence number modulo {@value #SLOTS}. A datafile gets a handle of its column's slot. A slot's lane is the slot modulo the number of
 * lanes. So the number of lanes may change from one start to the next without a look-up or a move, and the handle tells clients nothing
 * that they could depend on.
 */
public final class Slots {
    public static final int SLOTS = 64;

    private Slots() {}

    public static int ofColumn(Handle metafile, int index) {
        return mixed(metafile.value() * 31 + index);
    }

    /** The slot for the leases of a holder. */
    public static int ofHolder(long holder) {
        return mixed(holder);
    }

    private static int mixed(long number) {
        return (int) ((number * 0x9e3779b97f4a7c15L) >>> 58);
    }

    public static int ofDatafile(Handle datafile) {
        return (int) (datafile.sequence() % SLOTS);
    }
}
