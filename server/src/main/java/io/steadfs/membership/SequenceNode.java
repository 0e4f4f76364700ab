package io.steadfs.membership;

import java.util.UUID;

/**
 * The node {@code /sequence/<owner>}: what is reserved, and how much of that the owner's data directory has recorded.
 *
 * @param ceiling first number of the incarnation that nobody has reserved
 * @param recordedIncarnation with {@code recordedCeiling}: the newest record known to be durable in the data directory;
 *     numbers are given out only below it
 * @param holder the process that reserved last; made anew at each start
 */
record SequenceNode(int incarnation, long ceiling, int recordedIncarnation, long recordedCeiling, UUID holder) {
    /** @throws IllegalArgumentException naming what no handle can have */
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
