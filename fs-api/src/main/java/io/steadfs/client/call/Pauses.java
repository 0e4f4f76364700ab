package io.steadfs.client.call;

import io.steadfs.time.Scheduler;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses between tries, for as long as the client is open. When the client closes, all pauses end at once, and each finds that there is no
 * next try. Otherwise their callers would wait for ever. Thread-safe.
 */
public final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    private final Scheduler scheduler;
    private final Set<Pause> present = new LinkedHashSet<>();
    private boolean closed;

    public Pauses(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Runs the task after so many milliseconds, or when the client closes. Runs it at once if the client is closed. */
    public void then(long millis, Runnable next) {
        var unused = until(millis, next);
    }

    /** As {@link #then}, but the task can be cancelled. */
    Scheduler.Cancellable until(long millis, Runnable next) {
        Pause pause = new Pause(next);
        synchronized (this) {
            if (!closed) {
                present.add(pause);
                pause.timer = scheduler.after(millis, () -> goOn(pause));
                return () -> forget(pause);
            }
        }
        next.run();
        return () -> {};
    }

    private void forget(Pause pause) {
        synchronized (this) {
            present.remove(pause);
        }
        pause.timer.cancel();
    }

    /** A future that completes after so many milliseconds, or when the client closes. */
    public CompletableFuture<Void> pause(long millis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        then(millis, () -> over.complete(null));
        return over;
    }

    private void goOn(Pause pause) {
        boolean first;
        synchronized (this) {
            first = present.remove(pause);
        }
        if (first) {
            pause.next.run();
        }
    }

    /** Whether the client is closed: then nothing is tried again. */
    public synchronized boolean areOver() {
        return closed;
    }

    public void close() {
        List<Pause> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(present);
        }
        for (Pause pause : left) {
            pause.timer.cancel();
            try {
                goOn(pause);
            } catch (RuntimeException e) {
                LOG.error("one who paused did not go on", e);
            }
        }
    }

    /** A class, not a record: pauses are told apart by identity. */
    private static final class Pause {
        private final Runnable next;
        private Scheduler.Cancellable timer = () -> {};

        Pause(Runnable next) {
            this.next = next;
        }
    }
}
