package io.steadfs.client.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one thread at a time work on an object. A user's thread waits for its turn. A thread of the transport never
 * waits, but puts its work into a queue. The thread that holds the turn takes work from the queue. If no thread holds
 * the turn, the thread that brought the work takes the turn. So there is no recursion if a future completes inside a
 * turn.
 */
public final class Turns {
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> brought = new ConcurrentLinkedQueue<>();
    /** Work to run after the present turn. Guarded by the lock. */
    private List<Runnable> afterwards = new ArrayList<>();

    /** Waits for the turn, does the work, and returns the result of the work. Must not be called within a turn. */
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

    /**
     * Queues work for a turn and does not wait for the result. If no thread holds the turn, the calling thread does the
     * work at once.
     */
    public void bring(Runnable work) {
        brought.add(work);
        serve();
    }

    /**
     * Runs the work after the present turn has ended. Meant for work that calls other objects. Must be called within a
     * turn.
     */
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
