package io.steadfs.membership;

import java.util.UUID;

/**
 * The content of the node {@code /sequence/<owner>}. The node has the ceiling of all reserved numbers, and the newest
 * ceiling that the owner's data directory has recorded.
 *
 * @param ceiling the first number of the incarnation that is not reserved
 * @param recordedIncarnation the incarnation of the newest record that is durable in the data directory
 * @param recordedCeiling the ceiling of the newest durable record; the owner gives out only numbers below this ceiling
 * @param holder identifies the process that reserved last. Each start of a process makes a new id
 */
record SequenceNode(int incarnation, long ceiling, int recordedIncarnation, long recordedCeiling, UUID holder) {
    /** @throws IllegalArgumentException if a value is impossible in a handle; the message names the value */
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
