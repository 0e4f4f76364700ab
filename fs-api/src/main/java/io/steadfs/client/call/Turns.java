package io.steadfs.client.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one thread at a time work on an object. Threads of users wait for their turn. Threads of the transport never wait: they leave their
 * work in a queue. The thread that holds the turn takes it from there; if nobody holds the turn, the thread that brought the work does. So
 * a future that completes at once, inside a turn, causes no recursion.
 */
public final class Turns {
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> brought = new ConcurrentLinkedQueue<>();
    /** Guarded by the lock. */
    private List<Runnable> afterwards = new ArrayList<>();

    /** Waits for the turn, does the work, and returns its result. Must not be called within a turn. */
    public <T> T take(Supplier<T> work) {
        T result;
        List<Runnable> after;
        lock.lock();
        try {
            result = work.get();
            takeBrought();
        } finally {
            after = handOver();
        }
        after.forEach(Runnable::run);
        serve();
        return result;
    }

    /** Has the work done in a turn, now or soon, and does not wait for it. */
    public void bring(Runnable work) {
        brought.add(work);
        serve();
    }

    /** To be called within a turn: runs the work after the turn has ended. For work that calls other objects. */
    public void afterwards(Runnable work) {
        afterwards.add(work);
    }

    private void serve() {
        while (!brought.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            List<Runnable> after;
            try {
                takeBrought();
            } finally {
                after = handOver();
            }
            after.forEach(Runnable::run);
        }
    }

    private void takeBrought() {
        for (Runnable work = brought.poll(); work != null; work = brought.poll()) {
            work.run();
        }
    }

    private List<Runnable> handOver() {
        List<Runnable> after = afterwards;
        afterwards = new ArrayList<>();
        lock.unlock();
        return after;
    }
}
