package io.steadfs.mds.session;

import io.steadfs.config.ConfigKey;
import io.steadfs.mds.record.LogRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The time when each session was last heard of, on the monotonic clock. The times are in memory only: a restart begins with
 * none, so every session gets a full period. A session is added when its opening commits, or when the first search for dead
 * sessions meets it. Hearing of a session that was not added does nothing, so the table holds no more sessions than exist.
 * Only requests of the session's own user count. May be called from any thread.
 *
 * <p>This class also counts the sessions that are at home here, in total and by user. Ended sessions count until they are
 * forgotten, so that opening and closing in a loop is bounded like opening alone. Guests are not counted, because each of
 * them is counted at its home shard.
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
            "About the most sessions that a metadata shard is the home of, open or ended lately; further ones are refused with"
                    + " BUSY.");

    public static final ConfigKey<Long> MOST_OF_USER = ConfigKey.number(
            "stead.session.user.max",
            20_000,
            1,
            10_000_000,
            "",
            "About the most of these that one user may have at a metadata shard; further ones are refused with BUSY.");

    private final ConcurrentHashMap<Long, Heard> sessions = new ConcurrentHashMap<>();

    /** Number of the sessions that are at home here. */
    private final AtomicInteger atHome = new AtomicInteger();

    /** The same number by user. Users without sessions are left out. */
    private final ConcurrentHashMap<String, Integer> ofUsers = new ConcurrentHashMap<>();

    /** One session, and when it was last heard of. */
    private record Heard(String user, boolean isHome, long nanos) {
        Heard at(long later) {
            return later - nanos > 0 ? new Heard(user, isHome, later) : this;
        }
    }

    /** A request named the session here. If the request came from another user than the session's own, it does not count. */
    public void heard(long session, String user, long nowNanos) {
        if (session != 0) {
            sessions.computeIfPresent(session, (id, before) -> before.user.equals(user) ? before.at(nowNanos) : before);
        }
    }

    /**
     * The time when the session was last heard of; the present time if the session is added now.
     *
     * @param isHome whether the session is at home here, and not a guest
     */
    public long heardOrBegin(Session session, boolean isHome, long nowNanos) {
        return sessions.computeIfAbsent(session.id(), id -> {
                    Heard begun = new Heard(session.user(), isHome, nowNanos);
                    count(begun, 1);
                    return begun;
                })
                .nanos;
    }

    private void count(Heard session, int change) {
        if (session.isHome) {
            atHome.addAndGet(change);
            ofUsers.compute(session.user, (user, before) -> {
                int after = (before == null ? 0 : before) + change;
                return after == 0 ? null : after;
            });
        }
    }

    /** A batch with these records was committed. New sessions in them are added now. */
    public void committed(List<LogRecord> records, int shard, int shardCount, long nowNanos) {
        for (LogRecord record : records) {
            if (record instanceof SessionPut put) {
                long id = put.session().id();
                heardOrBegin(put.session(), !Session.isGuest(id, shard, shardCount), nowNanos);
            }
        }
    }

    /** Number of sessions that are at home here. */
    public int atHome() {
        return atHome.get();
    }

    /** Number of a user's sessions that are at home here. */
    public int atHome(String user) {
        return ofUsers.getOrDefault(user, 0);
    }

    /** Whether the session was heard of later than the given moment. */
    public boolean isHeardAfter(long session, long thenNanos) {
        Heard heard = sessions.get(session);
        return heard != null && heard.nanos - thenNanos > 0;
    }

    /** Gives every session a full period from now. */
    public void allHeard(long nowNanos) {
        sessions.replaceAll((id, before) -> before.at(nowNanos));
    }

    /** Forgets sessions that were last heard of before the given moment and are not in the given set. */
    public void retain(Set<Long> these, long beforeNanos) {
        for (Long session : sessions.keySet()) {
            if (!these.contains(session)) {
                sessions.computeIfPresent(session, (id, heard) -> {
                    if (heard.nanos - beforeNanos >= 0) {
                        return heard;
                    }
                    count(heard, -1);
                    return null;
                });
            }
        }
    }
}
