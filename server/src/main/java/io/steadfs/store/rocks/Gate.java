package io.steadfs.store.rocks;

import io.steadfs.store.StoreClosedException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native memory alive while anybody is inside. Freed native memory is not an exception but the end of the process,
 * so every call into RocksDB passes here.
 *
 * <p>Whoever enters counts itself in one of a few counters, chosen by thread so that readers on different cores do not
 * fight for one cache line, and then looks whether the gate is shut. {@link #shut} first shuts, then waits until the
 * counters are zero. Both orders are sequentially consistent: either the visitor sees the gate shut, or the closer sees
 * the visitor.
 */
final class Gate {
    /** Counters; a power of two. */
    private static final int LANES = 16;
    /** Distance of two counters, in longs: two cache lines. */
    private static final int STRIDE = 16;

    private static final long WAIT_NANOS = 100_000;

    private final String what;
    private final AtomicLongArray inside = new AtomicLongArray(LANES * STRIDE);
    private volatile boolean shut;

    /** @param what is guarded, for the message of the exception */
    Gate(String what) {
        this.what = what;
    }

    /**
     * Lets the caller in until {@link #leave}.
     *
     * @return what to give to {@link #leave}
     * @throws StoreClosedException if the gate is shut
     */
    int enter() {
        int lane = tryEnter();
        if (lane < 0) {
            throw new StoreClosedException(what);
        }
        return lane;
    }

    /**
     * For whoever reads no native memory and so needs not be let in.
     *
     * @throws StoreClosedException if the gate is shut
     */
    void checkOpen() {
        if (shut) {
            throw new StoreClosedException(what);
        }
    }

    /** As {@link #enter}, but answers a negative number if the gate is shut. */
    int tryEnter() {
        int lane = ((int) Thread.currentThread().getId() & (LANES - 1)) * STRIDE;
        inside.getAndIncrement(lane);
        if (shut) {
            inside.getAndDecrement(lane);
            return -1;
        }
        return lane;
    }

    void leave(int lane) {
        inside.getAndDecrement(lane);
    }

    /** Refuses all who come from now on and waits until all who are inside have left. Answers false if it was shut. */
    synchronized boolean shut() {
        if (shut) {
            return false;
        }
        shut = true;
        for (int lane = 0; lane < LANES * STRIDE; lane += STRIDE) {
            while (inside.get(lane) != 0) {
                LockSupport.parkNanos(WAIT_NANOS);
            }
        }
        return true;
    }
}
