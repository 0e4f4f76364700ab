package io.steadfs.time;

/** Runs tasks later, on a thread (or simulated step) of the scheduler's own. Tasks must be short: they hand longer work over to other threads. */
public interface Scheduler {
    /** Runs the task once after the delay. Cancelling after it began has no effect. */
    Cancellable after(long delayMillis, Runnable task);

    /** A task that may be taken back. */
    interface Cancellable {
        void cancel();
    }
}
