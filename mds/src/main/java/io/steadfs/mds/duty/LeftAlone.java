package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** Directories that are left alone until a time. One thread uses an object of this class. */
final class LeftAlone {
    private final Clock clock;
    private final Map<Handle, Long> untilNanos = new HashMap<>();

    LeftAlone(Clock clock) {
        this.clock = clock;
    }

    void add(Handle directory, long nanos) {
        untilNanos.put(directory, clock.monotonicNanos() + nanos);
    }

    /** Whether {@link #forgetOver} has not found its time over yet. */
    boolean has(Handle directory) {
        return untilNanos.containsKey(directory);
    }

    void forgetOver() {
        long now = clock.monotonicNanos();
        untilNanos.values().removeIf(until -> until - now <= 0);
    }
}
