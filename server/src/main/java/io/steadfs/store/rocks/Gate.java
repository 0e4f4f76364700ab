package io.steadfs.store.rocks;

import io.steadfs.store.StoreClosedException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Ensures that native memory is not freed while a thread uses it. If a thread used freed native memory, the whole
 * process would crash. So every call into RocksDB passes the gate.
 *
 * <p>A thread that enters first raises one of a few counters, and then checks whether the gate is shut. The thread's id
 * chooses the counter, so that readers on different cores rarely share a cache line. The method {@link #shut} first
 * shuts the gate, and then waits until all counters are zero. Accesses to the counters and to the gate are sequentially
 * consistent. So either the entering thread sees that the gate is shut, or the closing thread sees the raised counter.
 */
final class Gate {
    /** The number of counters; a power of two. */
    private static final int LANES = 16;
    /** The distance between two counters is this many longs, which take two cache lines. */
    private static final int STRIDE = 16;

    private static final long WAIT_NANOS = 100_000;

    private final String what;
    private final AtomicLongArray inside = new AtomicLongArray(LANES * STRIDE);
    private volatile boolean shut;

    /** @param what the name of the guarded store, for messages */
    Gate(String what) {
        this.what = what;
    }

    /**
     * Lets the calling thread through the gate. A thread that was let in must later call {@link #leave}.
     *
     * @return the argument for {@link #leave}
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
     * Checks the gate for a caller that uses no native memory and therefore need not enter.
     *
     * @throws StoreClosedException if the gate is shut
     */
    void checkOpen() {
        if (shut) {
            throw new StoreClosedException(what);
        }
    }

    /** Lets the calling thread through the gate, like {@link #enter}. Returns a negative number if the gate is shut. */
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
     * Shuts the gate: refuses new threads, and waits until all threads inside have left. Returns false if the gate was
     * already shut.
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
