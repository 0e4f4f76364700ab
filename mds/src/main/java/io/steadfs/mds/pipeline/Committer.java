package io.steadfs.mds.pipeline;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Commits batches which a {@link ShardWriter} decided, one at a time: in the thread that asks, or in its own, while the other one decides the next. */
final class Committer {
    private final ShardCore core;
    private final Thread thread;
    /** At most one; empty = end. */
    private final BlockingQueue<Optional<Batch>> next = new ArrayBlockingQueue<>(2);

    private final CommitTime time = new CommitTime();

    /** Handed over and not yet at its end; null if there is none. */
    private volatile @Nullable Batch underWay;

    Committer(ShardCore core, String name) {
        this.core = core;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** What is being committed; empty if it may take one. Whoever waits for that is woken at the core's queue. */
    Optional<Batch> underWay() {
        return Optional.ofNullable(underWay);
    }

    boolean isIdle() {
        return underWay == null;
    }

    /** What commits took lately. */
    long averageNanos() {
        return time.averageNanos();
    }

    /** In the thread that asks. Only if no other one is being committed. */
    void commitHere(Batch batch) {
        long begun = System.nanoTime();
        core.commit(batch);
        if (!batch.records().isEmpty()) {
            time.took(System.nanoTime() - begun);
        }
    }

    /** In the thread of its own; returns at once. Only if it is idle. */
    void commitApart(Batch batch) {
        batch.freeze();
        underWay = batch;
        next.add(Optional.of(batch));
    }

    private void run() {
        try {
            for (Optional<Batch> batch = next.take(); batch.isPresent(); batch = next.take()) {
                commitAndWake(batch.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            core.close();
        } catch (RuntimeException | Error e) {
            core.broke("its committing thread broke: " + e, e);
        }
    }

    private void commitAndWake(Batch batch) {
        try {
            commitHere(batch);
        } finally {
            underWay = null;
            core.queue().wake();
        }
    }

    /** Returns when what was handed over is at its end, also where the thread ended before. */
    void finish() {
        next.add(Optional.empty());
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        next.forEach(left -> left.ifPresent(this::commitAndWake));
    }
}
