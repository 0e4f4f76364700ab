package io.steadfs.mds.pipeline;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a {@link ShardCore} in a process. One thread decides and commits; where commits take long, another one commits:
 *
 * <pre>
 *  decides    | batch 1 | batch 2 ............... | batch 3 ...
 *  commits              | batch 1: write, fsync   | batch 2: write, fsync
 *                                          answers^
 * </pre>
 *
 * Then a batch grows until the one before it is committed. To change threads costs two wake-ups for a batch and makes batches smaller, so it is
 * done only where commits take as long as {@link WriterPacing} says; and never for a single command that nothing follows.
 *
 * <p>With an aggregation window it waits that long after the first command of a batch for more of them, unless a whole batch is there
 * earlier; without one it takes what is there.
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

    /** Whether commits are worth a thread of their own. Owned by the thread. */
    private boolean apart;

    /** Being decided. Owned by the thread. */
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

    /** Processor time that it used, 0 before its start and where the machine does not tell. */
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

    /** Until there is something to decide or to hand over. */
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
        // Between the two it stays as it is: apart, batches are smaller and so faster.
        apart = average >= apartNanos || (apart && average >= apartNanos / 2);
        return apart && (batch.commands() > 1 || core.queueLength() > 0);
    }

    /** Refuses what is still queued, lets the batches under way come to their end, and waits for that. */
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
