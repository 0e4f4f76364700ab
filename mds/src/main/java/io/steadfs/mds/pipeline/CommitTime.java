package io.steadfs.mds.pipeline;

/**
 * What a shard's commits take, as a moving average: a commit counts for an eighth of it.
 *
 * <p>Any thread asks; one at a time tells.
 */
final class CommitTime {
    private static final int OLDER = 8;

    private volatile long averageNanos;
    private boolean told;

    /** One more, of one command or more. */
    void took(long nanos) {
        long before = averageNanos;
        averageNanos = told ? before + (nanos - before) / OLDER : nanos;
        told = true;
    }

    /** 0 before the first one. */
    long averageNanos() {
        return averageNanos;
    }
}
