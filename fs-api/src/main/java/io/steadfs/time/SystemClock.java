package io.steadfs.time;

/** Reads the clocks of the machine. */
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
