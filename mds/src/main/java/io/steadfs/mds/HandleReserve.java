package io.steadfs.mds;

/** Sequence numbers that are reserved for the handles of one shard; from any thread. */
public interface HandleReserve {
    Block block();

    /**
     * Tells how far the shard is, so that more is reserved in time.
     *
     * @param next first number of the current incarnation not yet given out
     */
    void used(long next);

    /**
     * What may be given out now.
     *
     * @param first lowest number that may be given out under the incarnation
     * @param ceiling first number that is not reserved
     */
    record Block(int incarnation, long first, long ceiling) {}
}
