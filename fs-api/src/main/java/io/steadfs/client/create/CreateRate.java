package io.steadfs.client.create;

import io.steadfs.time.Clock;

/**
 * Estimates how many files per second a client has made recently. A recent file counts more than an older file.
 * Thread-safe.
 */
final class CreateRate {
    /** Age, in seconds, at which a file counts 1/e (about a third) of a new file. */
    private static final double SECONDS = 2;

    private final Clock clock;
    private long lastNanos;
    private double perSecond;

    CreateRate(Clock clock) {
        this.clock = clock;
        this.lastNanos = clock.monotonicNanos();
    }

    /** Counts one more file, and returns the present rate in files per second. */
    synchronized double count() {
        long now = clock.monotonicNanos();
        perSecond = perSecond * Math.exp(-(now - lastNanos) / 1e9 / SECONDS) + 1 / SECONDS;
        lastNanos = now;
        return perSecond;
    }
}
