package io.steadfs.mds.pipeline;

/**
 * Measures how long a shard's commits take, as a moving average: the newest commit has a weight of one eighth.
 *
 * <p>Any thread may read the average. Only one thread at a time may add a commit.
 */
final class CommitTime {
    private static final int OLDER = 8;

    private volatile long averageNanos;
    private boolean told;

    /** Adds the time of one commit. The commit may hold several commands. */
    void took(long nanos) {
        long before = averageNanos;
        averageNanos = told ? before + (nanos - before) / OLDER : nanos;
        told = true;
    }

    /** Returns the average in nanoseconds; 0 before the first commit. */
    long averageNanos() {
        return averageNanos;
    }
}
