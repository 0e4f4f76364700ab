package io.steadfs.it;

import io.steadfs.time.Scheduler;

/** A scheduler whose tasks are dropped while it sleeps, so that a client behaves like a process that stands still. */
final class SleepyScheduler implements Scheduler {
    private final Scheduler scheduler;
    private volatile boolean asleep;

    SleepyScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void sleep() {
        asleep = true;
    }

    void wake() {
        asleep = false;
    }

    @Override
    public Cancellable after(long delayMillis, Runnable task) {
        return scheduler.after(delayMillis, () -> {
            if (!asleep) {
                task.run();
            }
        });
    }
}
