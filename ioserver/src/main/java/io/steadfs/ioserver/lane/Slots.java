package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;

/**
 * Finds the lane that owns a datafile. The lane follows from the handle, or from the column if the datafile has no
 * handle yet.
 *
 * <p>A first write names a column (metafile, index), and must reach the lane that will own the datafile. If two tries
 * of a first write reached two lanes, they could make two datafiles. So datafiles are distributed over a fixed number
 * of slots. The slot of a column is a hash of the column. The slot of a handle is its sequence number modulo {@value
 * #SLOTS}. A new datafile gets a handle of its column's slot. The lane of a slot is the slot modulo the number of
 * lanes. So the number of lanes may change at a start without moving anything. A handle tells clients nothing about
 * lanes, so clients cannot depend on the number of lanes.
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
