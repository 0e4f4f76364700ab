package io.steadfs.mds.pipeline;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a {@link ShardCore} in a process with one thread or two. One thread decides and commits. If commits take long, a
 * second thread commits:
 *
 * <pre>
 *  decides    | batch 1 | batch 2 ............... | batch 3 ...
 *  commits              | batch 1: write, fsync   | batch 2: write, fsync
 *                                          answers^
 * </pre>
 *
 * <p>With two threads, a batch grows until the batch before is committed. Handing a batch to another thread costs two
 * wake-ups and makes batches smaller. The second thread is therefore used only if commits take as long as
 * {@link WriterPacing} says. If no other command follows a single command, the second thread is not used.
 *
 * <p>With an aggregation window, the thread waits for that time after the first command of a batch. The wait ends early
 * if the batch is full. Without a window, the thread takes the commands that are queued.
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

    /** Whether commits take long enough for a thread of their own. Owned by the writer's thread. */
    private boolean apart;

    /** The batch that is being decided. Owned by the writer's thread. */
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

    /**
     * Returns the processor time of the thread in nanoseconds; 0 = the thread has not started, or the machine does not
     * measure the time.
     */
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

    /** Waits until there is a command to decide or a batch to hand over. */
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
        // Between the two limits the choice stays as it is. A thread for commits makes batches smaller and so
        // commits faster.
        apart = average >= apartNanos || (apart && average >= apartNanos / 2);
        return apart && (batch.commands() > 1 || core.queueLength() > 0);
    }

    /** Refuses all queued commands, and waits until the batches under way are finished. */
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
