package io.steadfs.rpc.netty;

import java.util.concurrent.TimeUnit;

/**
 * Tells whether the requests of one connection come one at a time, each a while after the answer to the one before. One
 * client that waits for each answer sends requests in this way. If several threads share the connection, a request soon
 * comes while another one is at work, or has come when the answer to another one is sent. Belongs to the channel's event
 * loop.
 */
final class LoneRequests {
    /** The least time from an answer to the next request. A client that waits for its answer needs longer. */
    static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    /** How many requests in a row must be lone. */
    static final int ENOUGH = 4;

    private int lone;

    /**
     * Notes that a request came.
     *
     * @param isOnly whether no other request of the connection is at work or received
     * @param readNanos when the request was read from the socket
     * @param answeredNanos when the last answer was sent
     */
    void came(boolean isOnly, long readNanos, long answeredNanos) {
        boolean isLone = isOnly && readNanos - answeredNanos >= PAUSE_NANOS;
        lone = isLone ? Math.min(ENOUGH, lone + 1) : 0;
    }

    /** Whether the request that came last is lone, as those before were. */
    boolean areLone() {
        return lone == ENOUGH;
    }
}
