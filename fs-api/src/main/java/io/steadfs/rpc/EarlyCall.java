package io.steadfs.rpc;

import io.steadfs.wire.Kind;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that a thread sends before anybody waits for its reply, such as the fetch of a small file's bytes when the
 * file is opened. Most likely a thread waits for the reply soon. So an event loop that waiting threads run stays lent
 * meanwhile, as if no reply were to come ({@link Waiter}).
 *
 * <pre>
 *   NEW  --{@link #sent}-->  SENT  --{@link #answered}-->  ANSWERED
 *    |      the event loop does not          |
 *    |      count this reply as to come      |
 *    '--------------------+------------------'
 *                         '--{@link #want}-->  WANTED
 * </pre>
 *
 * <p>Of several requests that are sent together only the first one is early. The others are counted as usual, and so is
 * a request that is sent again. Thread-safe. Each object is for one request.
 */
public final class EarlyCall {
    private static final ThreadLocal<@Nullable EarlyCall> OF_THREAD = new ThreadLocal<>();

    private enum State {
        NEW,
        SENT,
        ANSWERED,
        WANTED
    }

    private final Kind kind;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private volatile Waiter.@Nullable Loop loop;

    /** @param kind which kind of request is early; others that have to be sent first are not */
    public EarlyCall(Kind kind) {
        this.kind = kind;
    }

    /** Runs the sender. The first request of the kind that it sends on this thread is the early one. */
    public <T> T send(Supplier<T> sender) {
        OF_THREAD.set(this);
        try {
            return sender.get();
        } finally {
            OF_THREAD.remove();
        }
    }

    /**
     * Takes the early call that this thread is sending, for a request that is on its way to an event loop. Null = the
     * request is not early.
     */
    public static @Nullable EarlyCall take(Kind kind, Waiter.Loop sender) {
        EarlyCall call = OF_THREAD.get();
        if (call == null || call.kind != kind) {
            return null;
        }
        OF_THREAD.remove();
        call.loop = sender;
        Waiter.sendsEarly();
        return call;
    }

    /** Notes that the request was sent. Belongs to the event loop, as {@link #answered} does. */
    public void sent() {
        Waiter.Loop sender = loop;
        if (sender != null && state.compareAndSet(State.NEW, State.SENT)) {
            sender.early(1);
        }
    }

    /** Notes that the reply has come, or will not come. */
    public void answered() {
        Waiter.Loop sender = loop;
        State was = state.getAndUpdate(now -> now == State.WANTED ? now : State.ANSWERED);
        if (was == State.SENT && sender != null) {
            sender.early(-1);
        }
    }

    /**
     * Tells that somebody wants the reply now. If this thread is about to wait ({@link Waiter#begin}), it may run the
     * event loop. To be called before the wait.
     */
    public void want() {
        Waiter.asks(kind);
        Waiter.Loop sender = loop;
        State was = state.getAndSet(State.WANTED);
        if (sender == null || was == State.WANTED) {
            return;
        }
        if (was == State.SENT) {
            sender.early(-1);
        }
        // A reply that is there already is as good as one that was waited for.
        boolean isOver = was == State.ANSWERED ? Waiter.hasBegun() : !Waiter.sentBy(sender);
        if (isOver) {
            sender.left(false);
        }
    }
}
