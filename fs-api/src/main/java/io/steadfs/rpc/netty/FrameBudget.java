package io.steadfs.rpc.netty;

import io.steadfs.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the memory for incomplete frames on all connections of a server together. A frame is incomplete if only some
 * of its bytes have come. A connection stands still while no further bytes of its incomplete frame come.
 *
 * <p>Above the budget, connections that have stood still for a second are closed, until the other connections fit into
 * the budget. The connection that has stood still longest is closed first. Above twice the budget, connections are
 * closed in the same order, even if the connections have stood still for less than a second. So a peer that keeps
 * sending loses its connection only if incomplete frames need more than twice the budget. Each read inside a frame
 * costs one change of a hash map. Any thread may call the methods.
 */
final class FrameBudget {
    private static final long STANDS_AFTER_NANOS = 1_000_000_000L;

    /**
     * A connection with an incomplete frame. The budget calls a holder under the budget's lock. So a holder must pass
     * its work to its own thread.
     */
    interface Holder {
        /** Closes the connection for the given reason. */
        void evict(String why);
    }

    /** Number of bytes that the incomplete frame of one connection takes, and the time of the frame's last byte. */
    private record Share(long bytes, long nanos) {}

    private final long limit;
    private final Clock clock;
    /** The connection that has stood still longest comes first. */
    private final LinkedHashMap<Holder, Share> shares = new LinkedHashMap<>();

    private long total;

    FrameBudget(long limit, Clock clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /** Number of bytes that incomplete frames take now. Connections that the budget has closed do not count. */
    synchronized long bytes() {
        return total;
    }

    /**
     * Notes that a connection has read some bytes.
     *
     * @param bytes bytes of memory that the incomplete frame of the connection takes; 0 = no frame is incomplete
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

    /** Notes that the connection is closed, or that its frame is given up. */
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
