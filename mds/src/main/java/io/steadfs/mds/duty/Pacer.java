package io.steadfs.mds.duty;

import io.steadfs.store.StoreClosedException;
import io.steadfs.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the rounds of a duty. There is one round in every interval, and one round soon after each wake. At most one
 * round is planned at a time, and rounds never overlap. All work of a duty runs on the scheduler's thread. The method
 * {@link #hand} passes results of the shard and of the transport to the scheduler's thread.
 */
final class Pacer {
    /**
     * Delay of a round after a wake: long enough to gather the work of many requests, short enough to look immediate.
     */
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

    /** Starts the rounds. The first round comes soon. */
    synchronized void start() {
        started = true;
        wake();
    }

    /** Says that there is work, so that a round comes soon. May be called from any thread. */
    synchronized void wake() {
        if (started && !stopped && !soon) {
            planned.cancel();
            soon = true;
            planned = scheduler.after(SOON_MILLIS, this::run);
        }
    }

    /**
     * Runs the rest of some work on the scheduler's thread. Runs nothing if the duty was stopped. May be called from
     * any thread.
     */
    void hand(Runnable rest) {
        later(0, rest);
    }

    /**
     * Waits for the future and then runs {@code rest} on the scheduler's thread, with the value or the failure.
     *
     * @param broken takes an exception that {@code rest} threw, as in {@link #step}
     */
    <T> void when(CompletableFuture<T> future, BiConsumer<T, @Nullable Throwable> rest, Consumer<Throwable> broken) {
        var unused =
                future.whenComplete((value, failure) -> hand(() -> step(() -> rest.accept(value, failure), broken)));
    }

    /**
     * Runs one step of work that waits between its steps. A mark says that the work is under way.
     *
     * @param broken takes an exception that the step threw; must log the exception and remove the mark, because
     *     otherwise the work never starts again
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
     * Runs work of the duty. If the duty was stopped, the store may be closed while the work runs. The failure of such
     * work is dropped, because a later life of the shard starts the work again.
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

    /** Stops the duty. No round begins afterwards. */
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
