package io.steadfs.mds.duty;

import io.steadfs.store.StoreClosedException;
import io.steadfs.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the rounds of a duty: one every interval, and one soon after somebody says that there is work. At most one round
 * is planned at a time and they never overlap. Everything a duty does runs on the scheduler's thread: what comes back
 * from the shard or the transport is handed over by {@link #hand}.
 */
final class Pacer {
    /** Long enough to gather the work of many requests, short enough to look immediate. */
    private static final long SOON_MILLIS = 100;

    private final Scheduler scheduler;
    private final long intervalMillis;
    private final Runnable round;

    private Scheduler.Cancellable planned = () -> {};
    private boolean started;
    private boolean soon;
    private boolean stopped;

    Pacer(Scheduler scheduler, long intervalMillis, Runnable round) {
        this.scheduler = scheduler;
        this.intervalMillis = intervalMillis;
        this.round = round;
    }

    /** The first round comes soon. */
    synchronized void start() {
        started = true;
        wake();
    }

    /** There is work; from any thread. */
    synchronized void wake() {
        if (started && !stopped && !soon) {
            planned.cancel();
            soon = true;
            planned = scheduler.after(SOON_MILLIS, this::run);
        }
    }

    /** Runs the rest of some work on the scheduler's thread, unless the duty was stopped. From any thread. */
    void hand(Runnable rest) {
        later(0, rest);
    }

    /**
     * Goes on with what the future brings, value or failure, on the scheduler's thread.
     *
     * @param broken as of {@link #step}
     */
    <T> void when(CompletableFuture<T> future, BiConsumer<T, @Nullable Throwable> rest, Consumer<Throwable> broken) {
        var unused =
                future.whenComplete((value, failure) -> hand(() -> step(() -> rest.accept(value, failure), broken)));
    }

    /**
     * Runs a step of work that waits between steps, and that is marked as under way meanwhile.
     *
     * @param broken hears of what the step threw, if it did: says what broke, and takes the mark away, for else nobody
     *     ever began that work again
     */
    static void step(Runnable step, Consumer<Throwable> broken) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            broken.accept(e);
        }
    }

    void later(long delayMillis, Runnable rest) {
        scheduler.after(delayMillis, () -> {
            if (!isStopped()) {
                unlessClosed(rest);
            }
        });
    }

    /** The store may close beneath work that was under way when the duty was stopped; a later life begins it again. */
    private void unlessClosed(Runnable work) {
        try {
            work.run();
        } catch (StoreClosedException e) {
            if (!isStopped()) {
                throw e;
            }
        }
    }

    /** No round begins after this. */
    synchronized void stop() {
        stopped = true;
        planned.cancel();
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private void run() {
        synchronized (this) {
            if (stopped) {
                return;
            }
            soon = false;
        }
        try {
            unlessClosed(round);
        } finally {
            planNext();
        }
    }

    private synchronized void planNext() {
        if (!soon && !stopped) {
            planned = scheduler.after(intervalMillis, this::run);
        }
    }
}
