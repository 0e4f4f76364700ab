package io.steadfs.mds.duty;

/** Pauses that double from the first to the longest until something succeeds. */
final class Backoff {
    private final long firstMillis;
    private final long longestMillis;
    private long nextMillis;

    Backoff(long firstMillis, long longestMillis) {
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
        this.nextMillis = firstMillis;
    }

    /** It failed: how long to wait now. */
    long failed() {
        long pause = nextMillis;
        nextMillis = Math.min(longestMillis, 2 * nextMillis);
        return pause;
    }

    void succeeded() {
        nextMillis = firstMillis;
    }
}
