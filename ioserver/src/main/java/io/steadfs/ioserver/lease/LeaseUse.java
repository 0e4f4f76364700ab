package io.steadfs.ioserver.lease;

import java.util.BitSet;

/**
 * The handles of one lease that files have, by position from its first handle. A handle is used durably, as rows say, or because a shard
 * said so. A shard's message is kept in memory only: it makes the use likely, and at the end of the lease all shards are asked anyway.
 * Guarded by its owner.
 */
final class LeaseUse {
    private final int count;
    private final BitSet settled;
    private final BitSet known;

    /**
     * @param count handles of the lease
     * @param settled positions of the handles that a file has, or had, as rows say
     */
    LeaseUse(int count, BitSet settled) {
        this.count = count;
        this.settled = settled;
        this.known = (BitSet) settled.clone();
    }

    /** Records that a row says so. Returns whether that was not known. */
    boolean settle(int position) {
        settled.set(position);
        return know(position);
    }

    /** Records that a shard says so. Returns whether that was not known. */
    boolean know(int position) {
        boolean isNew = !known.get(position);
        known.set(position);
        return isNew;
    }

    /** The number of handles that no file is known to have. */
    int unused() {
        return count - known.cardinality();
    }

    /** Whether, for each handle, a row says that a file has or had it. */
    boolean isSettled() {
        return settled.cardinality() == count;
    }
}
