package io.steadfs.mds.pipeline;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a {@link ShardCore} in a process by one thread or two. One thread decides and commits. If commits take long, a second
 * thread commits:
 *
 * <pre>
 *  decides    | batch 1 | batch 2 ............... | batch 3 ...
 *  commits              | batch 1: write, fsync   | batch 2: write, fsync
 *                                          answers^
 * </pre>
 *
 * With two threads, a batch grows until the batch before is committed. A change of threads costs two wake-ups for each batch
 * and makes batches smaller. So the second thread is used only if commits take as long as {@link WriterPacing} says. A
 * single command that nothing follows never uses the second thread.
 *
 * <p>With an aggregation window, the thread waits for that time after the first command of a batch. A whole batch ends the
 * wait. Without a window the thread takes what is there.
 */
public final class ShardWriter implements AutoCloseable {
    private static final long STOP_MILLIS = 30_000;

    private final ShardCore core;
    private final int fullBatch;
    private final long windowNanos;
    private final long apartNanos;
    private final Committer committer;
    private final Thread thread;
    private volatile boolean stopping;

    /** Whether commits are worth their own thread. Owned by the thread. */
    private boolean apart;

    /** The batch that is being decided. Owned by the thread. */
    private Optional<Batch> open = Optional.empty();

    public ShardWriter(ShardCore core, ShardLimits limits, WriterPacing pacing, String name) {
        this.core = core;
        this.fullBatch = limits.batchCommands();
        this.windowNanos = TimeUnit.MICROSECONDS.toNanos(pacing.windowMicros());
        this.apartNanos = TimeUnit.MICROSECONDS.toNanos(pacing.apartMicros());
        this.committer = new Committer(core, name + "-commit");
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Processor time that the thread used; 0 before its start and on a machine that does not measure it. */
    public long cpuNanos() {
        return thread.isAlive()
                ? Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()))
                : 0;
    }

    private void run() {
        try {
            committer.start();
            while (!stopping && !core.queue().isClosed()) {
                await();
                decide();
                handOver();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            core.broke("its writer broke: " + e, e);
        } finally {
            core.close();
            committer.finish();
            open.ifPresent(core::commit);
        }
    }

    /** Waits until there is something to decide or to hand over. */
    private void await() throws InterruptedException {
        if (open.isEmpty()) {
            core.queue().await();
            if (windowNanos > 0 && !stopping) {
                core.queue().await(fullBatch, windowNanos);
            }
        } else if (core.isFull(open.get())) {
            core.queue().awaitOnly(committer::isIdle);
        } else {
            core.queue().awaitOr(committer::isIdle);
        }
    }

    private void decide() {
        if (open.isEmpty()) {
            Optional<Batch> before = committer.underWay();
            open = before.isPresent() ? Optional.of(core.begin(before.get())) : core.begin();
        }
        open.ifPresent(core::gather);
    }

    private void handOver() {
        if (open.isEmpty() || !committer.isIdle()) {
            return;
        }
        Batch batch = open.get();
        open = Optional.empty();
        if (isWorthAThread(batch)) {
            committer.commitApart(batch);
        } else {
            committer.commitHere(batch);
        }
    }

    private boolean isWorthAThread(Batch batch) {
        long average = committer.averageNanos();
        // Between the two bounds nothing changes: with a thread for commits, batches are smaller and so faster.
        apart = average >= apartNanos || (apart && average >= apartNanos / 2);
        return apart && (batch.commands() > 1 || core.queueLength() > 0);
    }

    /** Refuses what is still queued, and waits until the batches under way are finished. */
    @Override
    public void close() {
        stopping = true;
        core.close();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "writer " + thread.getName() + " did not end its batches within " + STOP_MILLIS + " ms");
        }
    }
}
