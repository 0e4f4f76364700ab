package io.steadfs.ioserver.op;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the reads that wait for a thread of a bounded executor. From any thread. */
public final class CountedReads implements Executor {
    private final Executor readers;
    private final AtomicLong waiting = new AtomicLong();

    public CountedReads(Executor readers) {
        this.readers = readers;
    }

    /** @throws RejectedExecutionException beyond the executor's bound */
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
            // The read was refused, or an Error says that no thread could be made for it.
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

    /** The number of reads that no thread has begun yet. */
    public long waiting() {
        return waiting.get();
    }
}
