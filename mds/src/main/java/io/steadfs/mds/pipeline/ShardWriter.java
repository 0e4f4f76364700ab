package io.steadfs.mds.pipeline;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

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
 * <p>A thread that submits a command and may wait ({@link Command#mayRunHere}) takes the writer's turn, if the turn is
 * free, and decides and commits the command itself ({@link CallerStep}). Only one thread at a time has the turn. Threads
 * do so only if commits are short. After a commit that was slow they do not for a while.
 *
 * <p>With an aggregation window, the thread waits for that time after the first command of a batch. The wait ends early
 * if the batch is full. Without a window, the thread takes the commands that are queued.
 */
public final class ShardWriter implements AutoCloseable {
    private static final long STOP_MILLIS = 30_000;

    /** The longest average time of commits with which a thread that submits a command commits it. */
    private static final long MOST_AVERAGE_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    /** A commit that takes longer is slow. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long threads that submit a command do not commit after a slow commit. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ShardCore core;
    private final int fullBatch;
    private final long windowNanos;
    private final long apartNanos;
    private final Committer committer;
    private final Thread thread;
    /** Held by the thread that decides and commits here: the writer's thread, or one that submits a command. */
    private final ReentrantLock turn = new ReentrantLock();

    private volatile boolean stopping;

    /** Whether commits take long enough for a thread of their own. Owned by the writer's thread. */
    private boolean apart;

    /** Until when threads that submit a command leave commits to the writer. Changed in the turn. */
    private volatile long restUntilNanos = System.nanoTime();

    /** The batch that is being decided. Owned by the writer's thread, which changes it in its turn. */
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
        core.callersStep(new ByCaller());
        thread.start();
    }

    /** Lets a thread that submits a command take the writer's turn. */
    private final class ByCaller implements CallerStep {
        @Override
        public boolean isLikely() {
            return windowNanos == 0
                    && committer.averageNanos() < Math.min(MOST_AVERAGE_NANOS, apartNanos)
                    && !stopping
                    && System.nanoTime() - restUntilNanos >= 0;
        }

        @Override
        public boolean step() {
            // Whoever has the turn answers commands, and an answer may submit another command.
            if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
                return false;
            }
            try {
                if (stopping || open.isPresent() || !committer.isIdle()) {
                    return false;
                }
                core.begin().ifPresent(this::decideAndCommit);
            } catch (RuntimeException | Error e) {
                core.broke("its writer broke: " + e, e);
            } finally {
                turn.unlock();
            }
            if (core.queueLength() > 0) {
                core.queue().wake();
            }
            return true;
        }

        private void decideAndCommit(Batch batch) {
            try {
                core.gather(batch);
            } catch (RuntimeException | Error e) {
                core.broke("its writer broke: " + e, e);
            }
            long begun = System.nanoTime();
            committer.commitHere(batch);
            long ended = System.nanoTime();
            if (ended - begun > SLOW_NANOS) {
                restUntilNanos = ended + REST_NANOS;
            }
        }
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
                turn.lock();
                try {
                    decide();
                    handOver();
                } finally {
                    turn.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            core.broke("its writer broke: " + e, e);
        } finally {
            core.close();
            committer.finish();
            turn.lock();
            try {
                open.ifPresent(core::commit);
            } finally {
                turn.unlock();
            }
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
        if (thread.isAlive() || !isTurnFree()) {
            throw new IllegalStateException(
                    "writer " + thread.getName() + " did not end its batches within " + STOP_MILLIS + " ms");
        }
    }

    /** Waits until no thread that submitted a command has the turn. Later no such thread begins a batch. */
    private boolean isTurnFree() {
        try {
            if (!turn.tryLock(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                return false;
            }
            turn.unlock();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !turn.isLocked();
        }
        return true;
    }
}
