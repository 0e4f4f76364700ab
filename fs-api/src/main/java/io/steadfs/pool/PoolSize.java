package io.steadfs.pool;

/**
 * Decides how many handles a pool asks for at once. A pool asks for as many handles as its callers take in about two
 * seconds, within the two bounds. If the bounds are equal, the number is the fixed L of section 3.3 of "File Creation
 * Strategies in a Distributed Metadata File System".
 *
 * @param least smallest number of handles of one lease, from 1
 * @param most largest number of handles of one lease
 * @param ahead whether the pool asks for more handles before its last handle is taken; if false, the pool asks only
 *     when a caller finds no handle
 */
public record PoolSize(int least, int most, boolean ahead) {
    private static final double SECONDS = 2;

    public PoolSize {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException("leases of " + least + " to " + most + " handles");
        }
    }

    /**
     * Number of handles of the next lease.
     *
     * @param taken number of handles that callers took since the last request for a lease
     * @param nanos time since the last request for a lease, in nanoseconds
     */
    public int next(long taken, long nanos) {
        double wanted = nanos <= 0 ? most : Math.ceil(taken * SECONDS * 1e9 / nanos);
        return (int) Math.max(least, Math.min(most, wanted));
    }

    /**
     * Number of handles below which a pool asks for more. The number of callers that wait is first subtracted from the
     * pool's handles.
     *
     * @param length present number of handles of one lease
     */
    public int low(int length) {
        return ahead ? Math.max(1, length / 2) : 0;
    }
}
