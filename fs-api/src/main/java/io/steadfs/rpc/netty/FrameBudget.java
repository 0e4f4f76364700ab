package io.steadfs.rpc.netty;

import io.steadfs.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the total memory of the incomplete frames on all connections of a server. A frame is incomplete if some of its
 * bytes have come and others have not. A connection stands still while no bytes of its incomplete frame come.
 *
 * <p>Above the budget, the server closes connections that have stood still for at least a second. The connection that
 * has stood still longest is closed first. The server closes connections until the frames of the others fit into the
 * budget. Above twice the budget, the server also closes connections that have stood still for less than a second. So a
 * sender that keeps sending completes its frame, as long as all frames together stay below twice the budget. Each read
 * that ends inside a frame costs one change of a hash map. May be used from any thread.
 */
final class FrameBudget {
    private static final long STANDS_AFTER_NANOS = 1_000_000_000L;

    /**
     * One connection. The budget calls a holder under the budget's lock, so the holder must hand the work over to its
     * own thread.
     */
    interface Holder {
        /** Closes the connection for the given reason. */
        void evict(String why);
    }

    /** Number of bytes of an incomplete frame that one connection holds, and the time at which the last byte came. */
    private record Share(long bytes, long nanos) {}

    private final long limit;
    private final Clock clock;
    /** The connections with an incomplete frame. The connection that has stood still longest is the first. */
    private final LinkedHashMap<Holder, Share> shares = new LinkedHashMap<>();

    private long total;

    FrameBudget(long limit, Clock clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /** Number of bytes that incomplete frames take now. Connections that this budget has closed do not count. */
    synchronized long bytes() {
        return total;
    }

    /**
     * Notes that a connection has read some bytes.
     *
     * @param bytes number of bytes of memory that the connection's incomplete frame takes; 0 = there is no incomplete
     *     frame
     */
    synchronized void holds(Holder holder, long bytes) {
        forget(holder);
        if (bytes == 0) {
            return;
        }
        long now = clock.monotonicNanos();
        shares.put(holder, new Share(bytes, now));
        total += bytes;
        while (total > limit) {
            Map.Entry<Holder, Share> longest = shares.entrySet().iterator().next();
            long stands = now - longest.getValue().nanos();
            if (longest.getKey() == holder || (total <= 2 * limit && stands < STANDS_AFTER_NANOS)) {
                return;
            }
            longest.getKey()
                    .evict("incomplete messages take " + total + " bytes at this server, and "
                            + NettyOptions.INCOMPLETE_BYTES.name() + " is " + limit + "; of this one nothing came for "
                            + stands / 1_000_000 + " ms");
            forget(longest.getKey());
        }
    }

    /** Forgets a connection that is closed, or whose frame was given up. */
    synchronized void gone(Holder holder) {
        forget(holder);
    }

    private void forget(Holder holder) {
        Share share = shares.remove(holder);
        if (share != null) {
            total -= share.bytes();
        }
    }
}
