package io.steadfs.ioserver.lease;

import java.util.BitSet;

/**
 * Which handles of one lease files have, by position from its first handle. Durably, as rows say, or by a shard's word,
 * which is in memory only: it says what is likely, and at the end of the lease all shards are asked anyway. Guarded by its owner.
 */
final class LeaseUse {
    private final int count;
    private final BitSet settled;
    private final BitSet known;

    /**
     * @param count handles of the lease
     * @param settled positions of those that a file has, or had, as rows say
     */
    LeaseUse(int count, BitSet settled) {
        this.count = count;
        this.settled = settled;
        this.known = (BitSet) settled.clone();
    }

    /** A row says so. Returns whether nobody knew. */
    boolean settle(int position) {
        settled.set(position);
        return know(position);
    }

    /** A shard says so. Returns whether nobody knew. */
    boolean know(int position) {
        boolean isNew = !known.get(position);
        known.set(position);
        return isNew;
    }

    /** Handles that no file is known to have. */
    int unused() {
        return count - known.cardinality();
    }

    /** Whether rows say of each handle that a file has it, or had. */
    boolean isSettled() {
        return settled.cardinality() == count;
    }
}
