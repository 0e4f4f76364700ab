package io.steadfs.mds.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue in front of a shard's writer. Any thread may add commands, and the writer takes them in batches. The number
 * and the bytes of queued commands are limited. A full queue refuses a command and never blocks the caller.
 */
final class CommandQueue {
    enum Offered {
        ACCEPTED,
        FULL,
        CLOSED
    }

    private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(365);

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

    /** Offers a command, and wakes the thread that waits for commands. See {@link #offer(Command, boolean)}. */
    Offered offer(Command<?> command) {
        return offer(command, true);
    }

    /**
     * Offers a command. An empty queue always accepts one command, however large it is.
     *
     * @param wake whether to wake the thread that waits for commands; without, the caller must call {@link #wake} unless
     *     the command is taken otherwise
     */
    Offered offer(Command<?> command, boolean wake) {
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
            if (wake) {
                arrival.signal();
            }
            return Offered.ACCEPTED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest commands, within the limits of number and bytes. Does not wait.
     *
     * @param orOne whether to take at least one command if there is any, however large the command is
     */
    List<Command<?>> take(int mostCommands, long mostBytes, boolean orOne) {
        lock.lock();
        try {
            List<Command<?>> batch = new ArrayList<>(Math.max(0, Math.min(queue.size(), mostCommands)));
            long taken = 0;
            while (!queue.isEmpty() && batch.size() < mostCommands) {
                int size = queue.element().sizeBytes();
                if (!(orOne && batch.isEmpty()) && taken + size > mostBytes) {
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

    /** Waits until a command is queued or the queue is closed. */
    void await() throws InterruptedException {
        await(1, FOREVER_NANOS);
    }

    /** Waits until this number of commands is queued, the queue is closed, or the time is over. */
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

    /** Makes the waiting thread look at the queue again. */
    void wake() {
        lock.lock();
        try {
            arrival.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue for good. Returns the commands that were left in the queue. */
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
