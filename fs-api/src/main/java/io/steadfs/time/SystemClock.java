package io.steadfs.time;

/** The machine's clock. */
public final class SystemClock implements Clock {
    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
