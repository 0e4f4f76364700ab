package io.steadfs.mds.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue before a shard's writer: any thread offers, the writer takes batches. Bounded by commands and by
 * bytes; a full queue refuses, it never blocks who offers.
 */
final class CommandQueue {
    enum Offered {
        ACCEPTED,
        FULL,
        CLOSED
    }

    private final int maxCommands;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();
    private final ArrayDeque<Command<?>> queue = new ArrayDeque<>();
    private long bytes;
    private boolean closed;

    CommandQueue(int maxCommands, long maxBytes) {
        this.maxCommands = maxCommands;
        this.maxBytes = maxBytes;
    }

    /** One command is always accepted by an empty queue, however large. */
    Offered offer(Command<?> command) {
        int size = command.sizeBytes();
        lock.lock();
        try {
            if (closed) {
                return Offered.CLOSED;
            }
            if (queue.size() >= maxCommands || (!queue.isEmpty() && bytes + size > maxBytes)) {
                return Offered.FULL;
            }
            queue.add(command);
            bytes += size;
            arrival.signal();
            return Offered.ACCEPTED;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest commands, within both bounds but at least one if there is any. Does not wait. */
    List<Command<?>> take(int mostCommands, long mostBytes) {
        lock.lock();
        try {
            List<Command<?>> batch = new ArrayList<>(Math.min(queue.size(), mostCommands));
            long taken = 0;
            while (!queue.isEmpty() && batch.size() < mostCommands) {
                int size = queue.element().sizeBytes();
                if (!batch.isEmpty() && taken + size > mostBytes) {
                    break;
                }
                batch.add(queue.remove());
                taken += size;
            }
            bytes -= taken;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many commands are queued, the queue is closed, or the time is over. */
    void await(int commands, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (queue.size() < commands && !closed && left > 0) {
                left = arrival.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something is queued or the queue is closed. */
    void await() throws InterruptedException {
        await(1, TimeUnit.DAYS.toNanos(365));
    }

    /** Accepts nothing from now on. Returns what was left in it. */
    List<Command<?>> close() {
        lock.lock();
        try {
            closed = true;
            List<Command<?>> rest = new ArrayList<>(queue);
            queue.clear();
            bytes = 0;
            arrival.signalAll();
            return rest;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }
}
