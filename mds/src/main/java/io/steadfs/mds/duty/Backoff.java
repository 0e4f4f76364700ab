package io.steadfs.mds.duty;

/**
 * Computes the pauses between attempts that fail. The pause doubles from the shortest to the longest, until an attempt
 * succeeds.
 */
final class Backoff {
    private final long firstMillis;
    private final long longestMillis;
    private long nextMillis;

    Backoff(long firstMillis, long longestMillis) {
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
        this.nextMillis = firstMillis;
    }

    /** Notes that the attempt failed. Returns how long to wait now, in milliseconds. */
    long failed() {
        long pause = nextMillis;
        nextMillis = Math.min(longestMillis, 2 * nextMillis);
        return pause;
    }

    void succeeded() {
        nextMillis = firstMillis;
    }
}
