package io.steadfs.rpc.netty;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection that sent the last request to any server of a process. The servers of a process share the event loops.
 * So an event loop may wait for a disk only while no other connection sends requests. From any thread.
 */
final class LastSender {
    /** How long requests must come from one connection only. */
    private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private volatile @Nullable ServerConnection last;
    private volatile long sinceNanos;

    /** Notes that a request came. If several threads call at the same time, one of the notes counts. */
    void requestCame(ServerConnection from, long nowNanos) {
        if (last != from) {
            last = from;
            sinceNanos = nowNanos;
        }
    }

    /** Whether requests have come from this connection only, for some time. */
    boolean isAlone(ServerConnection connection, long nowNanos) {
        return last == connection && nowNanos - sinceNanos > ALONE_NANOS;
    }

    /** Notes that a connection is closed. */
    void closed(ServerConnection connection) {
        if (last == connection) {
            last = null;
        }
    }
}
