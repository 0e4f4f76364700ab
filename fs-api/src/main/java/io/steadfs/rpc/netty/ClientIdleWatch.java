package io.steadfs.rpc.netty;

import io.netty.channel.EventLoop;
import io.steadfs.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection of a client that has had no calls for {@code stead.rpc.client.idle}. The watch belongs to the
 * connection's event loop, and calls begin on the same event loop. So no call is written to a connection that the
 * client has ended.
 *
 * <p>A connection with unsent bytes stays open as long as the server takes some of the bytes.
 */
final class ClientIdleWatch {
    private final ClientConnection connection;
    private final CallQueue queue;
    private final EventLoop loop;
    private final Clock clock;
    private final long idleMillis;

    private boolean timerRuns;
    private long sinceNanos;
    /** What was unsent at the last check that found the connection idle. Nothing was written since. */
    private Unsent unsentBefore = Unsent.NONE;

    ClientIdleWatch(ClientConnection connection, CallQueue queue, EventLoop loop, Clock clock, NettyOptions options) {
        this.connection = connection;
        this.queue = queue;
        this.loop = loop;
        this.clock = clock;
        this.idleMillis = options.clientIdleMillis();
    }

    /** Ends the connection if it is idle for too long. To be called when the last call may have ended. */
    void look() {
        ClientLink open = connection.link();
        if (open == null || isUsed(open)) {
            return;
        }
        sinceNanos = clock.monotonicNanos();
        unsentBefore = Unsent.NONE;
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
        Unsent unsent = open.unsent();
        if (left > 0) {
            watch(left);
        } else if (!unsent.isNone() && !unsent.equals(unsentBefore)) {
            // The unsent bytes belong to calls that were given up. The server may still be reading the unsent bytes.
            // Either this is the first check, or the server took some bytes since the last check. A write in between
            // belongs to a call, and the end of the call begins the time anew.
            unsentBefore = unsent;
            watch(idleMillis * 1_000_000);
        } else {
            open.endInOrder("no calls for " + idleMillis + " ms");
        }
    }
}
