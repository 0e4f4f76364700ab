package io.steadfs.mds;

/** The sequence numbers that are reserved for the handles of one shard. The methods may be called from any thread. */
public interface HandleReserve {
    Block block();

    /**
     * Tells the reserve which numbers the shard has used, so that the reserve gets more numbers in time.
     *
     * @param next the first number of the current incarnation that the shard has not given out yet
     */
    void used(long next);

    /**
     * The numbers that may be given out now.
     *
     * @param first the lowest number that the shard may give out under the incarnation
     * @param ceiling the first number that is not reserved
     */
    record Block(int incarnation, long first, long ceiling) {}
}
