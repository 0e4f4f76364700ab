package io.steadfs.rpc.netty;

import io.netty.channel.EventLoop;
import io.steadfs.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Ends a client's connection that has had no calls for the time of {@code stead.rpc.client.idle}. Belongs to the
 * connection's event loop. The same event loop begins calls, so no call is written to a connection that this class has
 * ended.
 *
 * <p>A connection with unsent bytes stays open while the server goes on taking bytes.
 */
final class ClientIdleWatch {
    private final ClientConnection connection;
    private final CallQueue queue;
    private final EventLoop loop;
    private final Clock clock;
    private final long idleMillis;

    private boolean timerRuns;
    private long sinceNanos;
    /** Number of unsent bytes at the last check of an idle connection. */
    private long unsentBefore;

    ClientIdleWatch(ClientConnection connection, CallQueue queue, EventLoop loop, Clock clock, NettyOptions options) {
        this.connection = connection;
        this.queue = queue;
        this.loop = loop;
        this.clock = clock;
        this.idleMillis = options.clientIdleMillis();
    }

    /** Starts the timer if the connection has no calls. Must be called whenever the last call may have ended. */
    void look() {
        ClientLink open = connection.link();
        if (open == null || isUsed(open)) {
            return;
        }
        sinceNanos = clock.monotonicNanos();
        unsentBefore = 0;
        if (!timerRuns) {
            watch(idleMillis * 1_000_000);
        }
    }

    private boolean isUsed(ClientLink open) {
        return open.sent().isWaitedFor() || !queue.isEmpty();
    }

    private void watch(long nanos) {
        timerRuns = true;
        var unused = loop.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        timerRuns = false;
        ClientLink open = connection.link();
        if (open == null || isUsed(open)) {
            return;
        }
        long left = sinceNanos + idleMillis * 1_000_000 - clock.monotonicNanos();
        long unsent = open.unsentBytes();
        if (left > 0) {
            watch(left);
        } else if (unsent > 0 && unsent != unsentBefore) {
            // The unsent bytes belong to calls that were given up. Either this is the first check, or the server has
            // taken some of the bytes since the last check.
            unsentBefore = unsent;
            watch(idleMillis * 1_000_000);
        } else {
            open.endInOrder("no calls for " + idleMillis + " ms");
        }
    }
}
