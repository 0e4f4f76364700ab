package io.steadfs.rpc.netty;

import io.steadfs.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds the memory that incomplete frames take on all connections of a server together. An incomplete frame has begun and lacks bytes. A
 * connection stands still while no bytes of its frame come.
 *
 * <p>Above the budget, connections that have stood still for a second are closed until the rest fits. The connection that has stood longest is closed first. Above twice the
 * budget, connections are closed in that order, however short they have stood. So a sender that keeps sending gets through, unless such senders need twice the budget at a time. Costs one change of a hash map for each read of a connection inside a
 * frame. May be used from any thread.
 */
final class FrameBudget {
    private static final long STANDS_AFTER_NANOS = 1_000_000_000L;

    /** One connection. A holder is called under the budget's lock, so it hands over to its own thread. */
    interface Holder {
        /** Closes the connection for this reason. */
        void evict(String why);
    }

    /** Bytes that one connection holds of an incomplete frame, and the time of the frame's last byte. */
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

    /** Bytes taken now, without those of connections that were told to close. */
    synchronized long bytes() {
        return total;
    }

    /**
     * A connection read some bytes.
     *
     * @param bytes of memory that its incomplete frame takes; 0 where it is inside none
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

    /** The connection is closed, or its frame is given up. */
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
