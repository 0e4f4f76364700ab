package io.steadfs.membership;

/**
 * What an owner's data directory knows of its reserved sequence numbers.
 *
 * @param ceiling first number of the incarnation that is not reserved
 */
record SequenceRecord(int incarnation, long ceiling) implements Comparable<SequenceRecord> {
    /** Of an owner that never reserved anything. */
    static final SequenceRecord NOTHING = new SequenceRecord(0, 0);

    @Override
    public int compareTo(SequenceRecord other) {
        int byIncarnation = Integer.compare(incarnation, other.incarnation);
        return byIncarnation != 0 ? byIncarnation : Long.compare(ceiling, other.ceiling);
    }
}
