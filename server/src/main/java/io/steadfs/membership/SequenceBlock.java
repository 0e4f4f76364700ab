package io.steadfs.membership;

/**
 * Sequence numbers that an owner may give out now. The owner keeps its own counter and gives out
 * {@code max(counter of the incarnation, first)} and up.
 *
 * @param first lowest number of the incarnation that no earlier process can have given out; the same until the process ends or the
 *     incarnation changes
 * @param ceiling first number that is not reserved
 */
public record SequenceBlock(int incarnation, long first, long ceiling) {}
