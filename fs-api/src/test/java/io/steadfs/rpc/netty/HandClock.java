package io.steadfs.rpc.netty;

import io.steadfs.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until a test moves it. So a time-out passes only when the test says so, however long the
 * machine stood still. The timers of event loops run in real time: each looks at this clock, and is set again.
 */
final class HandClock implements Clock {
    private final AtomicLong millis = new AtomicLong();

    void move(long moreMillis) {
        millis.addAndGet(moreMillis);
    }

    @Override
    public long monotonicNanos() {
        return millis.get() * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return millis.get();
    }
}
