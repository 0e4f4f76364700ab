package io.steadfs.mds;

/** Sequence numbers that are reserved for the handles of one shard. May be called from any thread. */
public interface HandleReserve {
    Block block();

    /**
     * Tells the reserve how many numbers the shard has used, so that more are reserved in time.
     *
     * @param next the first number of the current incarnation that is not yet given out
     */
    void used(long next);

    /**
     * The numbers that may be given out now.
     *
     * @param first lowest number that may be given out under the incarnation
     * @param ceiling first number that is not reserved
     */
    record Block(int incarnation, long first, long ceiling) {}
}
