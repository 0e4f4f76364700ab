package io.steadfs.mds.duty;

import io.steadfs.store.StoreClosedException;
import io.steadfs.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the rounds of a duty: one in every interval, and one soon after somebody says that there is work. At most one round is
 * planned at a time, and rounds never overlap. Everything a duty does runs on the scheduler's thread. Results from the shard
 * or the transport are handed over to it by {@link #hand}.
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

    /** Starts the rounds. The first one comes soon. */
    synchronized void start() {
        started = true;
        wake();
    }

    /** There is work. May be called from any thread. */
    synchronized void wake() {
        if (started && !stopped && !soon) {
            planned.cancel();
            soon = true;
            planned = scheduler.after(SOON_MILLIS, this::run);
        }
    }

    /** Runs the rest of some work on the scheduler's thread, unless the duty was stopped. May be called from any thread. */
    void hand(Runnable rest) {
        later(0, rest);
    }

    /**
     * Goes on with the result of the future, value or failure, on the scheduler's thread.
     *
     * @param broken as in {@link #step}
     */
    <T> void when(CompletableFuture<T> future, BiConsumer<T, @Nullable Throwable> rest, Consumer<Throwable> broken) {
        var unused =
                future.whenComplete((value, failure) -> hand(() -> step(() -> rest.accept(value, failure), broken)));
    }

    /**
     * Runs one step of work that waits between steps and is marked as under way meanwhile.
     *
     * @param broken takes the exception, if the step threw one; it logs what broke and removes the mark, because otherwise
     *     the work would never be started again
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

    /**
     * The store may be closed below work that was under way when the duty was stopped. A later life of the shard starts that
     * work again.
     */
    private void unlessClosed(Runnable work) {
        try {
            work.run();
        } catch (StoreClosedException e) {
            if (!isStopped()) {
                throw e;
            }
        }
    }

    /** Stops the duty: no round begins after this. */
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
