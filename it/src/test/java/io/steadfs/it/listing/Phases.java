package io.steadfs.it.listing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * How far a run is: the directory gets more names until it has many partitions, then fewer until it has one again. Each
 * half takes its time, and as much longer as the directory needs. One thread tells how many partitions there are; any
 * thread asks.
 */
final class Phases implements DoubleSupplier {
    private static final double ALMOST_OVER = 0.97;

    private final long halfNanos;
    private final int manyPartitions;
    private final long began = System.nanoTime();
    private volatile int most = 1;
    private volatile long fellFrom = -1;
    private final long deadlineNanos;
    private volatile boolean over;

    /**
     * @param length how long it takes at least
     * @param most how long it may take
     */
    Phases(Duration length, int manyPartitions, Duration most) {
        this.deadlineNanos = most.toNanos();
        this.halfNanos = Math.max(1, length.toNanos() / 2);
        this.manyPartitions = manyPartitions;
    }

    /** The directory has so many partitions now. */
    void saw(int partitions) {
        most = Math.max(most, partitions);
        long now = System.nanoTime();
        if (fellFrom < 0 && most >= manyPartitions && now - began > halfNanos) {
            fellFrom = now - began;
        }
        over = fellFrom >= 0 && partitions == 1 && now - began - fellFrom > halfNanos;
    }

    /** Returns when such a share of the run is over. */
    void await(double share) {
        while (progress() < share) {
            if (System.nanoTime() - began > deadlineNanos) {
                throw new IllegalStateException("the run is at " + progress() + " since long");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Nobody waits any more. */
    void giveUp() {
        over = true;
    }

    /** How long it took until the directory had many partitions, and until it began to get fewer names. */
    Duration grew() {
        return Duration.ofNanos(fellFrom);
    }

    int mostPartitions() {
        return most;
    }

    boolean isOver() {
        return over;
    }

    /** Which share of the run is over: a half when it has many partitions, and 1 when it has one again. */
    double progress() {
        if (over) {
            return 1;
        }
        long elapsed = System.nanoTime() - began;
        long fell = fellFrom;
        return fell < 0
                ? Math.min(0.5, 0.5 * elapsed / halfNanos)
                : Math.min(ALMOST_OVER, 0.5 + 0.5 * (elapsed - fell) / halfNanos);
    }

    /** How many names the directory should have: 1 = as many as ever, from the 0.4th of the run on until its half. */
    @Override
    public double getAsDouble() {
        double progress = progress();
        return progress <= 0.5 ? Math.min(1, progress / 0.4) : Math.max(0, 1 - (progress - 0.5) / 0.4);
    }
}
