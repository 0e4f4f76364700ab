package io.steadfs.client.create;

import io.steadfs.time.Clock;

/** How many files a client made per second lately. Each file counts less and less as seconds pass. Thread-safe. */
final class CreateRate {
    /** After so many seconds a file counts a third. */
    private static final double SECONDS = 2;

    private final Clock clock;
    private long lastNanos;
    private double perSecond;

    CreateRate(Clock clock) {
        this.clock = clock;
        this.lastNanos = clock.monotonicNanos();
    }

    /** Counts one more file and returns the rate. */
    synchronized double count() {
        long now = clock.monotonicNanos();
        perSecond = perSecond * Math.exp(-(now - lastNanos) / 1e9 / SECONDS) + 1 / SECONDS;
        lastNanos = now;
        return perSecond;
    }
}
