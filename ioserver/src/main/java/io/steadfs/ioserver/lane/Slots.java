package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;

/**
 * Which lane owns a datafile, known from its handle alone and, before it has one, from its column.
 *
 * <p>A first write names (metafile, index) and must reach the lane that will own the datafile, or two tries of it could
 * make two datafiles on two lanes. So datafiles are dealt to a fixed number of slots: a column's slot is a hash, and a
 * handle's slot is its sequence modulo {@value #SLOTS}; a datafile gets a handle of its column's slot. Lanes take slots
 * modulo their number. The number of lanes may thus change from one start to the next without a look-up or a move, and
 * the handle says nothing that a client could depend on.
 */
public final class Slots {
    public static final int SLOTS = 64;

    private Slots() {}

    public static int ofColumn(Handle metafile, int index) {
        return mixed(metafile.value() * 31 + index);
    }

    /** Of the leases of a holder. */
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
