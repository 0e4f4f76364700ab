package io.steadfs.time;

/**
 * Runs tasks later, on a thread of its own. In a simulation, a task runs as a simulated step. Tasks must be short, and
 * must hand longer work over to other threads.
 */
public interface Scheduler {
    /** Runs the task once after the delay. Once the task has begun, cancelling has no effect. */
    Cancellable after(long delayMillis, Runnable task);

    /** A task that can be cancelled. */
    interface Cancellable {
        void cancel();
    }
}
