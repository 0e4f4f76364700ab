package io.steadfs.ioserver.op;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the reads that wait for a thread of a bounded executor. May be called from any thread. */
public final class CountedReads implements Executor {
    private final Executor readers;
    private final AtomicLong waiting = new AtomicLong();

    public CountedReads(Executor readers) {
        this.readers = readers;
    }

    /** @throws RejectedExecutionException if the executor has reached its bound */
    @Override
    public void execute(Runnable read) {
        AtomicBoolean waits = new AtomicBoolean(true);
        boolean isTaken = false;
        waiting.incrementAndGet();
        try {
            readers.execute(() -> {
                waitsNoMore(waits);
                read.run();
            });
            isTaken = true;
        } finally {
            // Either the executor refused the read, or it threw an Error because it could make no thread.
            if (!isTaken) {
                waitsNoMore(waits);
            }
        }
    }

    private void waitsNoMore(AtomicBoolean waits) {
        if (waits.compareAndSet(true, false)) {
            waiting.decrementAndGet();
        }
    }

    /** Number of reads that no thread has begun yet. */
    public long waiting() {
        return waiting.get();
    }
}
