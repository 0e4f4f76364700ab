package io.steadfs.server;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The thread on which a server closes and opens stores. Closing and opening a store takes seconds. So this work has a
 * thread of its own, and no other thread waits for it.
 */
public final class RevivalThread implements Executor, AutoCloseable {
    private final ExecutorService thread;

    public RevivalThread(String name) {
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Runs the task after all earlier tasks.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /** Refuses further tasks. The owner of a running task waits for the task; {@link #close} does not. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
