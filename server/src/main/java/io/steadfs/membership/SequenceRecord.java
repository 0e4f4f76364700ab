package io.steadfs.membership;

import io.steadfs.handle.Handle;

/**
 * The content of an owner's file in the data directory: the ceiling of the reserved sequence numbers.
 *
 * @param ceiling the first number of the incarnation that is not reserved
 */
public record SequenceRecord(int incarnation, long ceiling) implements Comparable<SequenceRecord> {
    /** @throws IllegalArgumentException if a value is impossible in a handle; the message names the value */
    public SequenceRecord {
        if (incarnation < 0 || incarnation > Handle.MAX_INCARNATION) {
            throw new IllegalArgumentException(
                    "incarnation " + incarnation + " is not in 0.." + Handle.MAX_INCARNATION);
        }
        if (ceiling < 0 || ceiling > Handle.MAX_SEQUENCE + 1) {
            throw new IllegalArgumentException("ceiling " + ceiling + " is not in 0.." + (Handle.MAX_SEQUENCE + 1));
        }
    }

    /** The record of an owner that never reserved anything. */
    public static final SequenceRecord NOTHING = new SequenceRecord(0, 0);

    @Override
    public int compareTo(SequenceRecord other) {
        int byIncarnation = Integer.compare(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : Long.compare(ceiling, other.ceiling);
    }
}
