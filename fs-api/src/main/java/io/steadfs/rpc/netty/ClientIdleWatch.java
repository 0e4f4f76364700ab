package io.steadfs.rpc.netty;

import io.netty.channel.EventLoop;
import io.steadfs.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection of a client that has had no calls for {@code stead.rpc.client.idle}. Belongs to the connection's event loop, which also
 * begins calls. So no call is written to a connection that this side has ended.
 *
 * <p>A connection with unsent bytes is not ended while the server takes some of them.
 */
final class ClientIdleWatch {
    private final ClientConnection connection;
    private final CallQueue queue;
    private final EventLoop loop;
    private final Clock clock;
    private final long idleMillis;

    private boolean timerRuns;
    private long sinceNanos;
    /** Unsent bytes when the connection was last found idle. */
    private long unsentBefore;

    ClientIdleWatch(ClientConnection connection, CallQueue queue, EventLoop loop, Clock clock, NettyOptions options) {
        this.connection = connection;
        this.queue = queue;
        this.loop = loop;
        this.clock = clock;
        this.idleMillis = options.clientIdleMillis();
    }

    /** To be called when there may be no call any more. */
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
            // The unsent bytes belong to calls that were given up. Either nobody looked at the unsent bytes before, or
            // the
            // server has taken some since.
            unsentBefore = unsent;
            watch(idleMillis * 1_000_000);
        } else {
            open.endInOrder("no calls for " + idleMillis + " ms");
        }
    }
}
