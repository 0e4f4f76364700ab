package io.steadfs.client.call;

import io.steadfs.time.Scheduler;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks after pauses, for example the next try of a request. When the client closes, all pauses end at once and
 * their tasks run. Each task then finds the client closed and ends its operation. If pauses did not end at the close,
 * callers would wait for ever. Thread-safe.
 */
public final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);

    private final Scheduler scheduler;
    private final Set<Pause> present = new LinkedHashSet<>();
    private boolean closed;

    public Pauses(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Runs the task after the given time or at the client's close, whichever comes first. If the client is closed
     * already, the task runs at once.
     */
    public void then(long millis, Runnable next) {
        var unused = until(millis, next);
    }

    /** Like the method {@link #then}, but the caller can cancel the task. */
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

    /** Makes a future that completes after the given time or at the client's close, whichever comes first. */
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

    /** Whether the client is closed. A closed client makes no further tries. */
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
                LOG.error("a task after a pause failed", e);
            }
        }
    }

    /** One pause. The pause is a class and not a record, because two pauses with equal fields must stay different. */
    private static final class Pause {
        private final Runnable next;
        private Scheduler.Cancellable timer = () -> {};

        Pause(Runnable next) {
            this.next = next;
        }
    }
}
