package io.steadfs.rpc.netty;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import io.steadfs.rpc.EarlyCall;
import io.steadfs.rpc.Waiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop that its own thread lends to a thread that waits for a reply. With one caller that waits for each
 * reply, each call would wake the own thread twice, and the caller once: 20 to 45 microseconds each time, which is most of
 * a short call. If the caller runs the event loop itself, nothing of this is needed.
 *
 * <pre>
 *   {@link #ENOUGH} waits after which no reply was to come
 *  own thread runs  ------------------------------------------------------->  lent: whoever waits runs it
 *        ^                                                                        |
 *        '----- replies to come and nobody waits, a task of a thread that does ---'
 *               not wait, nobody ran it for a while, one ran it too long, shutdown
 *               (the next time {@link #ENOUGH} is doubled, if it was called back after fewer waits)
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 * <li>One thread at a time runs the event loop: the {@link #runner}. It takes the place by compare-and-set, so it sees
 * all that the last one did. {@link #inEventLoop} is true for it alone.
 * <li>If nobody runs the event loop and a reply or a task is to come that no caller waits for, the own thread is woken.
 * Whoever adds a task looks for a runner afterwards. A runner that goes looks for tasks and replies after it is gone.
 * So one of the two sees the other.
 * <li>Whatever the first two miss is noticed by the own thread, which looks every {@value #LOOK_MILLIS} ms while the
 * event loop is lent. A thread that runs it for longer than this gives it back, and waits in the usual way, which an interrupt
 * ends.
 * <li>Before the event loop ends, the own thread has it back.
 * <li>A waiting thread runs the event loop only with room on its stack ({@link StackRoom}). If an error leaves the event
 * loop all the same, the event loop ends, as it does if that happens on the own thread. So each call is answered.
 * <li>The reply to an {@link EarlyCall} is one that nobody waits for yet: {@link #early} counts it, too, from when it is
 * sent. From the moment at which somebody wants it, it counts as one that is to come. Until then it is taken by whoever
 * runs the event loop, which is the own thread if nobody else did for a while (invariant 3). A request that waits for a
 * connection is not early.
 * <li>A thread that takes the event loop looks at the sockets before it runs tasks. So a request is not written to a
 * connection that the server has ended since the last look.
 * </ol>
 *
 * <p>Only event loops of clients are lent. At an event loop of a server requests come that no thread of this process
 * waits for. A timer may be twice {@value #LOOK_MILLIS} ms late while the event loop is lent and nobody runs it.
 *
 * <p>The pattern is known as leader and followers (Schmidt et al., POSA 2, 2000).
 */
final class LentLoop extends SingleThreadIoEventLoop implements Waiter.Loop {
    /**
     * How many waits in a row must end with no reply to come, before the event loop is lent. A reply that came before it was wanted
     * counts as one, and a caller that leaves an early call behind ends no row.
     */
    static final int ENOUGH = 4;
    /** The greatest number of such waits, where the event loop was called back each time. */
    static final int MOST = 256;

    static final long LOOK_MILLIS = 20;

    /** How often the own thread wakes the runner until it has the event loop back. */
    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The longest time of the own thread for tasks before the next look at the sockets, as in the superclass. */
    private static final long TASKS_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The same of a waiting thread, whose own reply is not to be held up by the tasks of others. */
    private static final long WAITERS_TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long END_MILLIS = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(LentLoop.class);

    private static final CompletableFuture<?> NOTHING = CompletableFuture.completedFuture(null);

    private final boolean mayLend;
    private final long lookNanos;
    private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
    private final AtomicInteger loneWaits = new AtomicInteger();
    /** Calls without an answer, those included that wait for a connection. Only the runner changes the number. */
    private final AtomicInteger expected = new AtomicInteger();
    /** How many of the sent calls are early: nobody waits for them yet. Any thread changes the number. */
    private final AtomicInteger early = new AtomicInteger();
    /** How often a waiting thread took the event loop to wait there. Only the runner changes the number. */
    private final AtomicInteger taken = new AtomicInteger();

    /** How many waits are enough at present. Belongs to the own thread. */
    private int enough = ENOUGH;

    private volatile @Nullable Thread own;
    /** Whether the own thread shall have the event loop back. */
    private volatile boolean isCalledBack = true;

    private final BusyPoll poll = new BusyPoll(Runtime.getRuntime().availableProcessors());

    /** What the waiting thread that runs the event loop waits for. Belongs to the runner. */
    private CompletableFuture<?> awaited = NOTHING;

    /** A run of the sockets that sleeps until there is work. */
    private final IoHandlerContext untilWork = new Run(true);
    /** A run of the sockets that never sleeps. */
    private final IoHandlerContext look = new Run(false);

    /**
     * @param mayLend whether waiting threads may run the event loop; otherwise its own thread alone does
     * @param lookMillis how often the own thread looks at the event loop while it is lent
     */
    LentLoop(IoEventLoopGroup group, Executor threads, IoHandlerFactory io, boolean mayLend, long lookMillis) {
        super(group, threads, io);
        this.mayLend = mayLend;
        this.lookNanos = TimeUnit.MILLISECONDS.toNanos(lookMillis);
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return runner.get() == thread;
    }

    // ---- the own thread

    @Override
    protected void run() {
        Thread me = Thread.currentThread();
        own = me;
        runner.set(me);
        Waiter.isRunner(true);
        ioHandler().initialize();
        boolean isOver = false;
        while (!isOver) {
            ioHandler().run(untilWork);
            if (isShuttingDown()) {
                ioHandler().prepareToDestroy();
            }
            runAllTasks(TASKS_NANOS);
            isOver = confirmShutdown();
            if (!isOver && mayLend && loneWaits.get() >= enough && isAtRest() && !isShuttingDown()) {
                lend(me);
            }
        }
    }

    private boolean isAtRest() {
        return expected.get() <= early.get() && pendingTasks() == 0;
    }

    private void lend(Thread me) {
        isCalledBack = false;
        runner.set(null);
        int before = taken.get();
        int seen = before - 1;
        while (!isCalledBack && isAtRestOrRun() && taken.get() != seen && !isShuttingDown()) {
            seen = taken.get();
            park(lookNanos);
        }
        boolean wasCalled = isCalledBack;
        isCalledBack = true;
        while (!runner.compareAndSet(null, me)) {
            ioHandler().wakeup();
            park(CALL_NANOS);
        }
        loneWaits.set(0);
        if (taken.get() - before >= enough) {
            enough = ENOUGH;
        } else if (wasCalled) {
            enough = Math.min(2 * enough, MOST);
        }
    }

    private void park(long nanos) {
        // With an interrupt the thread would not sleep. Nobody has a reason to interrupt it.
        var unused = Thread.interrupted();
        LockSupport.parkNanos(this, nanos);
    }

    private boolean isAtRestOrRun() {
        return runner.get() != null || isAtRest();
    }

    private void callBack() {
        isCalledBack = true;
        LockSupport.unpark(own);
    }

    // ---- any thread

    @Override
    public void execute(Runnable task) {
        boolean isRunner = inEventLoop();
        super.execute(task);
        if (!isRunner && !Waiter.sentBy(this) && runner.get() == null) {
            callBack();
        }
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        Future<?> end = super.shutdownGracefully(quietPeriod, timeout, unit);
        callBack();
        return end;
    }

    @Override
    public boolean runUntil(CompletableFuture<?> done) {
        Thread me = Thread.currentThread();
        if (isCalledBack) {
            return false;
        }
        if (me.isInterrupted() || !StackRoom.isEnough()) {
            // What this thread sent must not wait for the next look of the own thread.
            callBack();
            return false;
        }
        return runHere(me, () -> {
            taken.incrementAndGet();
            awaited = done;
            poll.begin(System.nanoTime(), Waiter.asked());
            while (!done.isDone() && !isCalledBack && !me.isInterrupted() && Waiter.isAt(this)) {
                boolean hadTasks = hasTasks();
                int events = ioHandler().run(poll.looksAgain(System.nanoTime()) ? look : untilWork);
                if (runAllTasks(WAITERS_TASKS_NANOS) || hadTasks || events > 0) {
                    poll.worked(System.nanoTime());
                }
            }
            if (done.isDone()) {
                poll.came(System.nanoTime());
            }
        });
    }

    /** Lets this thread be the runner for a while. Returns false if another thread is. */
    private boolean runHere(Thread me, Runnable run) {
        if (!runner.compareAndSet(null, me)) {
            return false;
        }
        try {
            Waiter.isRunner(true);
            run.run();
        } catch (RuntimeException | Error e) {
            LOG.error("an event loop ends after an error", e);
            var unused = shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS);
            throw e;
        } finally {
            Waiter.isRunner(false);
            awaited = NOTHING;
            runner.set(null);
            if (isCalledBack || !isAtRest()) {
                callBack();
            }
        }
        return true;
    }

    @Override
    public void wake() {
        ioHandler().wakeup();
    }

    @Override
    public void left(boolean mayComeBack) {
        if (isAtRest()) {
            loneWaits.incrementAndGet();
            return;
        }
        // What is still to be sent may be the early call.
        if (!mayComeBack) {
            loneWaits.set(0);
        }
        if (runner.get() == null) {
            callBack();
        }
    }

    @Override
    public void early(int more) {
        early.addAndGet(more);
    }

    @Override
    public void sendEarly() {
        Thread me = Thread.currentThread();
        if (pendingTasks() == 0 || isCalledBack || me.isInterrupted() || !StackRoom.isEnough()) {
            return;
        }
        try {
            var unused = runHere(me, () -> {
                ioHandler().run(look);
                runAllTasks(WAITERS_TASKS_NANOS);
            });
        } catch (RuntimeException | Error e) {
            // The event loop ends, and with it all its calls. What this thread has waited for is done.
            LOG.debug("an early call was not sent", e);
        }
    }

    /** Whether the own thread has lent the event loop and nobody has called it back. */
    boolean isLent() {
        return !isCalledBack;
    }

    /** How often a waiting thread took the event loop. */
    int taken() {
        return taken.get();
    }

    /** Number of calls whose replies nobody waits for yet. */
    int early() {
        return early.get();
    }

    /** To count the calls that are to be answered by this event loop. Only the runner may change the number. */
    AtomicInteger expected() {
        return expected;
    }

    /** Says whether and how long a run of the sockets may sleep. */
    private final class Run implements IoHandlerContext {
        private final boolean maySleep;

        Run(boolean maySleep) {
            this.maySleep = maySleep;
        }

        @Override
        public boolean canBlock() {
            boolean isOwn = own == Thread.currentThread();
            // If a waiting thread ran the event loop when its end was asked for, the wake-up for that is used up.
            return maySleep
                    && !hasTasks()
                    && !hasScheduledTasks()
                    && !isShuttingDown()
                    && (isOwn || (!isCalledBack && !awaited.isDone()));
        }

        @Override
        public long delayNanos(long nowNanos) {
            return LentLoop.this.delayNanos(nowNanos);
        }

        @Override
        public long deadlineNanos() {
            return LentLoop.this.deadlineNanos();
        }
    }
}
