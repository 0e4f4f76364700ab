package io.steadfs.store.rocks;

import io.steadfs.store.StoreClosedException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native memory alive while any thread uses it. A use of freed native memory ends the process instead of throwing an exception, so
 * every call into RocksDB passes the gate.
 *
 * <p>A thread that enters first adds itself to one of a few counters, and then checks whether the gate is shut. The counter is chosen by
 * thread, so that readers on different cores do not compete for one cache line. {@link #shut} first shuts the gate, and then waits until
 * the counters are zero. Both orders are sequentially consistent: either the entering thread sees the gate shut, or the closing thread sees
 * the counter.
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
     * @return the value to give to {@link #leave}
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
     * For a caller that reads no native memory and so need not enter.
     *
     * @throws StoreClosedException if the gate is shut
     */
    void checkOpen() {
        if (shut) {
            throw new StoreClosedException(what);
        }
    }

    /** Does the same as {@link #enter}, but returns a negative number if the gate is shut. */
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

    /**
     * Refuses all threads that come from now on, and waits until all threads inside have left. Returns false if the gate was shut already.
     */
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
