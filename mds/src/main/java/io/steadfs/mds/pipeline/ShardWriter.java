package io.steadfs.mds.pipeline;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ShardCore} in a process. The writer's thread commits. While it commits, threads that submit commands
 * decide the next batch:
 *
 * <pre>
 *  writer's thread      | decide 1 | write 1, fsync | answer 1 | write 2, fsync | answer 2 |
 *  threads that submit             | decide 2 ........ |       | decide 3 ........ |
 * </pre>
 *
 * <p>Deciding and committing need different things, the processor and the disk. A thread that submits a command has the
 * command at hand and is awake. So no thread is woken to decide, and a batch is ready when the one before is durable.
 *
 * <p>The turn is a lock. Only its holder decides, and only its holder says which batch is committed. The writer's thread
 * gives up the turn while it commits. Threads that submit never wait for the turn. If another thread has it, the command
 * stays in the queue, and whoever has the turn next decides it. When a commit ends, the writer's thread looks at the
 * queue before it sleeps. So a command that was queued during a commit needs no wake-up.
 *
 * <p>A thread that submits a command and may wait ({@link Command#mayRunHere}) decides and commits it, if nothing is
 * decided or committed ({@link CallerStep}). It keeps the turn until its commit ends. Threads do so only if commits are
 * short. After a commit that was slow they do not for a while.
 *
 * <p>With an aggregation window, the writer's thread waits for that time after the first command of a batch. The wait
 * ends early if the batch is full. Then no other thread decides.
 */
public final class ShardWriter implements AutoCloseable {
    private static final long STOP_MILLIS = 30_000;

    /** The longest average time of commits with which a thread that submits a command commits it. */
    private static final long MOST_AVERAGE_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    /** A commit that takes longer is slow. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long threads that submit a command do not commit after a slow commit. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The most commands that a thread decides because it submitted one. */
    private static final int MOST_DECIDED_BY_CALLER = 16;

    private final ShardCore core;
    private final int fullBatch;
    private final long windowNanos;
    private final LongSupplier nanos;
    private final CommitTime time = new CommitTime();
    private final Thread thread;
    /** Held by the thread that decides. */
    private final ReentrantLock turn = new ReentrantLock();

    private volatile boolean stopping;

    /** Until when threads that submit a command leave commits to the writer. Changed in the turn. */
    private volatile long restUntilNanos;

    /** The batch that the writer's thread commits; null = none. Changed in the turn. */
    private volatile @Nullable Batch underWay;

    /** The batch that was decided while another one was committed. Owned by the holder of the turn. */
    private Optional<Batch> open = Optional.empty();

    public ShardWriter(ShardCore core, ShardLimits limits, WriterPacing pacing, String name) {
        this(core, limits, pacing, name, System::nanoTime);
    }

    /** @param nanos a clock in nanoseconds, by which commits are slow or not */
    ShardWriter(ShardCore core, ShardLimits limits, WriterPacing pacing, String name, LongSupplier nanos) {
        this.core = core;
        this.nanos = nanos;
        this.restUntilNanos = nanos.getAsLong();
        this.fullBatch = limits.batchCommands();
        this.windowNanos = TimeUnit.MICROSECONDS.toNanos(pacing.windowMicros());
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        core.callersStep(new ByCaller());
        thread.start();
    }

    /** Lets a thread that submits a command take the turn. */
    private final class ByCaller implements CallerStep {
        @Override
        public boolean isLikely() {
            return windowNanos == 0
                    && time.averageNanos() < MOST_AVERAGE_NANOS
                    && !stopping
                    && nanos.getAsLong() - restUntilNanos >= 0;
        }

        @Override
        public boolean step() {
            // Whoever has the turn answers commands, and an answer may submit another command.
            if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
                return false;
            }
            try {
                if (stopping || underWay != null || open.isPresent()) {
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
            long begun = nanos.getAsLong();
            commitTimed(batch);
            long ended = nanos.getAsLong();
            if (ended - begun > SLOW_NANOS) {
                restUntilNanos = ended + REST_NANOS;
            }
        }

        @Override
        public boolean isCommitting() {
            return underWay != null;
        }

        @Override
        public void decideMeanwhile() {
            int left = MOST_DECIDED_BY_CALLER;
            // Another thread may have queued a command and not got the turn. So the queue is looked at after the turn.
            while (left > 0 && core.queueLength() > 0 && windowNanos == 0) {
                // If the writer's thread waits for the turn, its commit has ended, and the next one comes first.
                if (turn.isHeldByCurrentThread() || turn.hasQueuedThreads() || !turn.tryLock()) {
                    return;
                }
                try {
                    int decided = decideOver(underWay, left);
                    if (decided == 0) {
                        return;
                    }
                    left -= decided;
                } catch (RuntimeException | Error e) {
                    core.broke("its writer broke: " + e, e);
                } finally {
                    turn.unlock();
                }
            }
        }

        /** Returns how many commands were taken from the queue. */
        private int decideOver(@Nullable Batch committing, int most) {
            if (committing == null || stopping) {
                return 0;
            }
            if (open.isEmpty()) {
                open = Optional.of(core.begin(committing));
            }
            return core.gather(open.get(), most);
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
            while (!stopping && !core.queue().isClosed()) {
                core.queue().await();
                if (windowNanos > 0 && !stopping) {
                    core.queue().await(fullBatch, windowNanos);
                }
                Optional<Batch> batch = next(true);
                while (batch.isPresent()) {
                    commitTimed(batch.get());
                    batch = next(windowNanos == 0);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            core.broke("its writer broke: " + e, e);
        } finally {
            core.close();
            turn.lock();
            try {
                underWay = null;
                open.ifPresent(core::commit);
                open = Optional.empty();
            } finally {
                turn.unlock();
            }
        }
    }

    /**
     * Ends the commit that was under way, and begins the next one.
     *
     * @param decides whether to decide what is queued
     * @return the batch to commit; empty if there is nothing to commit
     */
    private Optional<Batch> next(boolean decides) {
        turn.lock();
        try {
            underWay = null;
            if (decides && core.queueLength() > 0) {
                if (open.isEmpty()) {
                    open = core.begin();
                }
                open.ifPresent(core::gather);
            }
            Optional<Batch> batch = open;
            open = Optional.empty();
            underWay = batch.orElse(null);
            return batch;
        } finally {
            turn.unlock();
        }
    }

    /** Commits in the calling thread. No other batch may be under way. */
    private void commitTimed(Batch batch) {
        long begun = nanos.getAsLong();
        core.commit(batch);
        if (batch.isDurable()) {
            time.took(nanos.getAsLong() - begun);
        }
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
