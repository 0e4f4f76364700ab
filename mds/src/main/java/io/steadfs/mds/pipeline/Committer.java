package io.steadfs.mds.pipeline;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Commits the batches that a {@link ShardWriter} decided, one at a time. A commit runs in the calling thread, or in the
 * committer's thread while the writer decides the next batch.
 */
final class Committer {
    private final ShardCore core;
    private final Thread thread;
    /** Hands over the batches. Holds at most one batch; an empty value means the end. */
    private final BlockingQueue<Optional<Batch>> next = new ArrayBlockingQueue<>(2);

    private final CommitTime time = new CommitTime();

    /** The batch that was handed over and is not finished; null = none. */
    private volatile @Nullable Batch underWay;

    Committer(ShardCore core, String name) {
        this.core = core;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Returns the batch that is being committed; empty = the next batch may be handed over. After the commit, the
     * committer wakes threads that wait at the core's queue.
     */
    Optional<Batch> underWay() {
        return Optional.ofNullable(underWay);
    }

    boolean isIdle() {
        return underWay == null;
    }

    /** Returns the average time of the latest commits in nanoseconds. */
    long averageNanos() {
        return time.averageNanos();
    }

    /** Commits in the calling thread. Allowed only while no other batch is being committed. */
    void commitHere(Batch batch) {
        long begun = System.nanoTime();
        core.commit(batch);
        if (batch.isDurable()) {
            time.took(System.nanoTime() - begun);
        }
    }

    /** Commits in the committer's own thread, and returns at once. Allowed only while the committer is idle. */
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

    /**
     * Waits until the batch that was handed over is finished. If the committer's thread has ended, the calling thread
     * commits the batch.
     */
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
