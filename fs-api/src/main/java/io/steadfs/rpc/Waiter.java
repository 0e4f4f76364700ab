package io.steadfs.rpc;

import io.steadfs.wire.Kind;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A thread that sends requests and then waits for the outcome at once. Such a thread may run the event loop that sends
 * its request and receives the reply, in place of the event loop's own thread. So no thread has to be woken to send the
 * request, and none to take the reply.
 *
 * <pre>
 *  {@link #begin}, send   {@link Loop#runUntil} the outcome is known        {@link #close}
 *  ------------------|-- writes the request, sleeps, reads the reply --|-- works on with the outcome
 * </pre>
 *
 * <p>A thread waits at one event loop at a time: the one to which it sent last. It leaves the one before, whose own
 * thread then runs that one if replies are to come. Each thread has its own object, which no other thread may use.
 */
public final class Waiter implements AutoCloseable {
    /** An event loop that lets waiting threads run it. */
    public interface Loop {
        /**
         * Runs the event loop on this thread until the future is done, or the thread waits at another event loop. The
         * event loop may end this earlier.
         *
         * @return whether this thread ran the event loop at all
         */
        boolean runUntil(CompletableFuture<?> done);

        /** Wakes the thread that sleeps in the event loop, so that it looks whether its future is done. */
        void wake();

        /**
         * Notes that a waiting thread does not wait here any more. Replies to other requests may still be to come.
         *
         * @param mayComeBack whether the thread has sent an {@link EarlyCall}, for whose reply it may wait later
         */
        void left(boolean mayComeBack);

        /** Changes the number of calls here whose replies nobody waits for yet, see {@link EarlyCall}. */
        void early(int more);

        /**
         * Runs the tasks that wait, without a sleep, if nobody else runs the event loop. So an {@link EarlyCall} of this
         * thread is on its way when the thread goes on. Never fails.
         */
        void sendEarly();
    }

    private static final ThreadLocal<Waiter> OF_THREAD = ThreadLocal.withInitial(Waiter::new);

    /** How many waits, one within the other, have begun and not ended. */
    private int waits;

    private volatile @Nullable Loop loop;
    /** Whether this thread runs an event loop at present. */
    private boolean isRunner;

    /** The kind of this thread's last request. */
    private Kind asked = Kind.STATUS;
    /** Whether this thread has sent an early call in this wait. */
    private boolean hasEarly;

    private Waiter() {}

    /**
     * Begins a wait of this thread. What it sends from now on, it waits for. To be closed when the wait is over.
     *
     * @throws IllegalStateException if the thread may not wait, see {@link #checkMayWait}
     */
    public static Waiter begin() {
        checkMayWait();
        Waiter waiter = OF_THREAD.get();
        waiter.waits++;
        return waiter;
    }

    /** As {@link #begin}, but null if the thread runs an event loop, and so may not wait. */
    public static @Nullable Waiter beginIfAllowed() {
        return OF_THREAD.get().isRunner ? null : begin();
    }

    /**
     * Runs event loops until the future is done. If the future is not done then, there is nothing left for this thread
     * to run, and it must wait for the future in the usual way.
     */
    public void runUntil(CompletableFuture<?> done) {
        if (loop == null || done.isDone()) {
            return;
        }
        // Another event loop or a timer may complete the future, while this thread sleeps in its own.
        var unused = done.handle((value, failure) -> {
            Loop at = loop;
            if (at != null) {
                at.wake();
            }
            return value;
        });
        boolean ran = true;
        while (ran && !done.isDone()) {
            Loop at = loop;
            ran = at != null && at.runUntil(done);
        }
    }

    /** Ends the wait. */
    @Override
    public void close() {
        waits--;
        if (waits == 0) {
            Loop last = loop;
            if (last != null && hasEarly) {
                last.sendEarly();
            }
            goTo(null);
            hasEarly = false;
        }
    }

    /**
     * Tells that this thread has sent something by the event loop.
     *
     * @return whether this thread will wait, so that it can run the event loop
     */
    public static boolean sentBy(Loop loop) {
        Waiter waiter = OF_THREAD.get();
        boolean willWait = waiter.waits > 0;
        if (willWait) {
            waiter.goTo(loop);
        }
        return willWait;
    }

    /** Whether this thread has begun a wait. */
    static boolean hasBegun() {
        return OF_THREAD.get().waits > 0;
    }

    /** Notes what this thread asks, and may wait for next. */
    public static void asks(Kind kind) {
        OF_THREAD.get().asked = kind;
    }

    /** What this thread has asked last. */
    public static Kind asked() {
        return OF_THREAD.get().asked;
    }

    /** Notes that this thread has an {@link EarlyCall} to send. */
    static void sendsEarly() {
        OF_THREAD.get().hasEarly = true;
    }

    /**
     * Notes whether this thread runs an event loop from now on: its own thread for ever, a waiting thread for a while.
     */
    public static void isRunner(boolean runs) {
        OF_THREAD.get().isRunner = runs;
    }

    /** @throws IllegalStateException if this thread runs an event loop: the reply could not come while it waits */
    public static void checkMayWait() {
        if (OF_THREAD.get().isRunner) {
            throw new IllegalStateException(
                    "a blocking call on " + Thread.currentThread().getName()
                            + " while this thread receives replies: the call would wait for ever. What is to be done when a"
                            + " future completes must not block; hand it to another thread.");
        }
    }

    /** Whether this thread waits at the event loop. */
    public static boolean isAt(Loop loop) {
        return OF_THREAD.get().loop == loop;
    }

    private void goTo(@Nullable Loop next) {
        Loop before = loop;
        loop = next;
        if (before != null && before != next) {
            before.left(hasEarly);
        }
    }
}
