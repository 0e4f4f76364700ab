package io.steadfs.ioserver.lease;

import java.util.BitSet;

/**
 * Knows which handles of one lease are in files. A handle is named by its position: the first handle of the lease has
 * position 0. The use of a handle is durable if the rows of the store show the use. A shard may also report the use of
 * a handle. Reports of shards are kept in memory only, because all shards are asked at the end of the lease anyway.
 * Guarded by the owner of this object.
 */
final class LeaseUse {
    private final int count;
    private final BitSet settled;
    private final BitSet known;

    /**
     * @param count number of handles of the lease
     * @param settled positions of the handles that a file has or had, as the rows of the store show
     */
    LeaseUse(int count, BitSet settled) {
        this.count = count;
        this.settled = settled;
        this.known = (BitSet) settled.clone();
    }

    /** Notes that a row shows the use of a handle. Returns whether the use was unknown before. */
    boolean settle(int position) {
        settled.set(position);
        return know(position);
    }

    /** Notes that a shard reports the use of a handle. Returns whether the use was unknown before. */
    boolean know(int position) {
        boolean isNew = !known.get(position);
        known.set(position);
        return isNew;
    }

    /** The number of handles that no file is known to have. */
    int unused() {
        return count - known.cardinality();
    }

    /** Whether rows show for every handle that a file has or had the handle. */
    boolean isSettled() {
        return settled.cardinality() == count;
    }
}
