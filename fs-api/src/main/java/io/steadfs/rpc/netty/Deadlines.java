package io.steadfs.rpc.netty;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.steadfs.error.FsError;
import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends each call of one connection when the call's deadline passes. Belongs to the connection's event loop.
 *
 * <p>All calls share one timer, so a deadline needs no object of its own. The timer is set to the earliest deadline.
 * When the timer fires, this class checks all calls and sets the timer to the next deadline. If n calls have about the
 * same timeout T, there is one pass over n calls in each time T.
 */
final class Deadlines {
    /** The shortest time between two checks of all calls, in nanoseconds. */
    private static final long TICK_NANOS = 2_000_000;

    private final ClientConnection connection;
    private final CallQueue queue;
    private final Connector connector;
    private final EventLoop loop;
    private final Clock clock;

    private @Nullable ScheduledFuture<?> timer;
    private long timerNanos;

    Deadlines(ClientConnection connection, CallQueue queue, Connector connector, EventLoop loop, Clock clock) {
        this.connection = connection;
        this.queue = queue;
        this.connector = connector;
        this.loop = loop;
        this.clock = clock;
    }

    /** Makes sure that the timer fires at the given deadline or earlier. */
    void plan(long deadlineNanos) {
        if (timer != null) {
            if (timerNanos - deadlineNanos <= 0) {
                return;
            }
            timer.cancel(false);
        }
        timerNanos = deadlineNanos;
        long delay = Math.max(TICK_NANOS, deadlineNanos - clock.monotonicNanos());
        timer = loop.schedule(this::expire, delay, TimeUnit.NANOSECONDS);
    }

    /** Stops the timer. */
    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void expire() {
        timer = null;
        long now = clock.monotonicNanos();
        List<ClientCall> waitedFor = new ArrayList<>(queue.waiting());
        ClientLink open = connection.link();
        if (open != null) {
            open.sent().addWaitedFor(waitedFor);
        }
        List<ClientCall> late = new ArrayList<>();
        long earliest = 0;
        boolean any = false;
        for (ClientCall call : waitedFor) {
            if (call.deadlineNanos() - now <= 0) {
                late.add(call);
            } else if (!any || call.deadlineNanos() - earliest < 0) {
                earliest = call.deadlineNanos();
                any = true;
            }
        }
        if (any) {
            plan(earliest);
        }
        for (ClientCall call : late) {
            refuse(call);
        }
        if (!late.isEmpty() && open != null) {
            open.closeIfSilent(now);
        }
        connection.settled();
    }

    private void refuse(ClientCall call) {
        ClientLink open = connection.link();
        String within = " within " + call.timeoutMillis() + " ms";
        if (queue.remove(call)) {
            if (open != null) {
                connection.refuseUnsent(
                        call, FsError.BUSY, "not sent" + within + ": " + call.room() + ", and " + queue);
            } else {
                connection.refuseUnsent(call, FsError.UNREACHABLE, connector.missing() + within);
            }
        } else if (open != null && open.sent().giveUp(call)) {
            call.timedOut();
            call.refuse(
                    FsError.TIMED_OUT,
                    connection.server() + ": no reply to " + call.request().kind() + within);
        }
    }
}
