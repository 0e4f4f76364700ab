package io.steadfs.time;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on one daemon thread of its own. If a task throws, the error is logged, and other tasks run on. After the
 * scheduler is closed, new tasks are dropped.
 */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadScheduler.class);
    private static final Cancellable NOTHING = () -> {};

    private final ScheduledThreadPoolExecutor thread;

    public ThreadScheduler(String threadName) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, threadName);
            made.setDaemon(true);
            return made;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellable after(long delayMillis, Runnable task) {
        try {
            ScheduledFuture<?> planned = thread.schedule(() -> run(task), delayMillis, TimeUnit.MILLISECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.debug("dropped a task after the scheduler was closed", e);
            return NOTHING;
        }
    }

    /** Drops all tasks that have not begun. Interrupts a running task and does not wait for its end. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a scheduled task failed", e);
        }
    }
}
