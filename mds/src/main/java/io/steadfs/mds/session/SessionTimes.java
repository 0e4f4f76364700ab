package io.steadfs.mds.session;

import io.steadfs.config.ConfigKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each session was last heard of, on the monotonic clock. In memory only: a restart begins with nothing, so every
 * session gets a full period. Whoever looks for dead sessions begins the count of those that it meets for the first
 * time; hearing of a session whose count was not begun does nothing, so the table holds no more than the sessions that
 * exist. From any thread.
 */
public final class SessionTimes {
    public static final ConfigKey<Long> DURATION = ConfigKey.number(
            "stead.session.duration",
            60_000,
            100,
            86_400_000,
            "milliseconds",
            "A session that is not renewed for so long ends; files that it writes are recovered.");
    public static final ConfigKey<Long> MOST = ConfigKey.number(
            "stead.session.max",
            100_000,
            1,
            10_000_000,
            "",
            "About the most sessions that a metadata server keeps; further ones are refused with BUSY.");

    private final ConcurrentHashMap<Long, Long> heardNanos = new ConcurrentHashMap<>();

    /** It was heard of here. */
    public void heard(long session, long nowNanos) {
        if (session != 0) {
            heardNanos.computeIfPresent(session, (id, before) -> later(before, nowNanos));
        }
    }

    /** When it was last heard of; now, if its count begins now. */
    public long heardOrBegin(long session, long nowNanos) {
        return heardNanos.computeIfAbsent(session, id -> nowNanos);
    }

    /** Whether it was heard of later than then. */
    public boolean isHeardAfter(long session, long thenNanos) {
        Long heard = heardNanos.get(session);
        return heard != null && heard - thenNanos > 0;
    }

    /** Everybody gets a full period from now. */
    public void allHeard(long nowNanos) {
        heardNanos.replaceAll((id, before) -> later(before, nowNanos));
    }

    /** Forgets all others. */
    public void retain(Set<Long> sessions) {
        heardNanos.keySet().retainAll(sessions);
    }

    public int size() {
        return heardNanos.size();
    }

    private static long later(long a, long b) {
        return a - b >= 0 ? a : b;
    }
}
