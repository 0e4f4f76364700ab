package io.steadfs.membership;

import java.util.UUID;

/**
 * The node {@code /sequence/<owner>}: the reserved numbers, and how many of them the owner's data directory has recorded.
 *
 * @param ceiling first number of the incarnation that nobody has reserved
 * @param recordedIncarnation with {@code recordedCeiling}: the newest record known to be durable in the data directory; numbers are given
 *     out only below it
 * @param holder the process that reserved last; a new id at each start
 */
record SequenceNode(int incarnation, long ceiling, int recordedIncarnation, long recordedCeiling, UUID holder) {
    /** @throws IllegalArgumentException naming the value that no handle can have */
    SequenceNode {
        new SequenceRecord(incarnation, ceiling);
        new SequenceRecord(recordedIncarnation, recordedCeiling);
    }

    SequenceRecord reserved() {
        return new SequenceRecord(incarnation, ceiling);
    }

    SequenceRecord recorded() {
        return new SequenceRecord(recordedIncarnation, recordedCeiling);
    }
}
