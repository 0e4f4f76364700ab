package io.steadfs.pool;

/**
 * How many handles a pool asks for at once: as many as were taken lately in about so many seconds, within bounds. With equal bounds it is
 * the fixed L of "File Creation Strategies in a Distributed Metadata File System", section 3.3.
 *
 * @param least handles of one lease, from 1
 * @param most handles of one lease
 * @param ahead whether to ask for more before the last handle is taken; else only when one is wanted and none is left
 */
public record PoolSize(int least, int most, boolean ahead) {
    private static final double SECONDS = 2;

    public PoolSize {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException("leases of " + least + " to " + most + " handles");
        }
    }

    /** Size of the next lease, when so many handles were taken in so many nanoseconds since the last one was asked for. */
    public int next(long taken, long nanos) {
        double wanted = nanos <= 0 ? most : Math.ceil(taken * SECONDS * 1e9 / nanos);
        return (int) Math.max(least, Math.min(most, wanted));
    }

    /** If fewer handles than this are at hand, after subtracting the waiting callers, more are asked for. Depends on the present size of leases. */
    public int low(int length) {
        return ahead ? Math.max(1, length / 2) : 0;
    }
}
