package io.steadfs.membership;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that makes all calls of a {@link Membership} to ZooKeeper, one after the other. */
final class MembershipThread implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(MembershipThread.class);
    private static final long STOP_MILLIS = 5000;

    private final ServerId server;
    private final ScheduledThreadPoolExecutor executor;

    /** A task with a result. */
    interface Task<T> {
        T run() throws MembershipException;
    }

    MembershipThread(ServerId server) {
        this.server = server;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "membership " + server);
            made.setDaemon(true);
            return made;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** @throws RejectedExecutionException after {@link #stop} */
    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /**
     * Runs the task, and waits for its result. Must not be called on this thread.
     *
     * @throws MembershipException if the task throws it, or if the thread is stopped
     */
    <T> T call(Task<T> task) throws MembershipException {
        Future<T> result;
        try {
            result = executor.submit(task::run);
        } catch (RejectedExecutionException e) {
            throw new MembershipException("membership of " + server + " is closed", e);
        }
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while " + server + " talked with ZooKeeper", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MembershipException refused) {
                throw refused;
            }
            throw new IllegalStateException("membership of " + server + " failed", e.getCause());
        }
    }

    /**
     * Runs the task soon. After {@link #stop}, the task does not run.
     *
     * @param leftOut words for the log: what the server does not do if the task does not run
     */
    void run(Runnable task, String leftOut) {
        runAfter(0, task, leftOut);
    }

    /** Does the same as {@link #run}, after a pause. */
    void runAfter(long millis, Runnable task, String leftOut) {
        try {
            var unused = executor.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} {}: stopping", server, leftOut);
        }
    }

    /** Runs the task again and again, with a pause before each time. */
    void runEvery(long millis, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Interrupts the running task. After this call, no other task begins. */
    void stop() {
        executor.shutdownNow();
    }

    /** Does the same as {@link #stop}, and waits up to 5 s until the running task has ended. */
    void stopAndWait() {
        stop();
        try {
            if (!executor.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("{}: a call to ZooKeeper does not end", server);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
