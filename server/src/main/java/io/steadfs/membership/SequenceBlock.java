package io.steadfs.membership;

/**
 * The sequence numbers that an owner may give out now. The owner keeps its own counter for each incarnation. The owner
 * gives out numbers from {@code max(counter, first)} up to the ceiling.
 *
 * @param first the lowest number of the incarnation that no earlier process can have given out. The value stays the
 *     same until the process ends or the incarnation changes
 * @param ceiling the first number that is not reserved
 */
public record SequenceBlock(int incarnation, long first, long ceiling) {}
