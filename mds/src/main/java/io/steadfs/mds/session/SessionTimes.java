package io.steadfs.mds.session;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.ConfigKey;
import io.steadfs.mds.record.LogRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the time when this shard last heard of each session. The times are of the monotonic clock, and are in memory
 * only. A restart begins without times, so every session gets a full period. A session is added after its opening
 * commits, or at the first search for dead sessions after a restart. A request of a session that was not added changes
 * nothing, so the table holds no more sessions than exist. Only requests of the session's own user count. May be called
 * from any thread.
 *
 * <p>This class also counts the sessions that are at home here, in total and by user. An ended session counts until it
 * is forgotten. So the limit on sessions also stops a client that opens and closes sessions in a loop. Guests are not
 * counted, because each guest is counted at its home shard.
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

    /** The number of sessions at home here, by user. Users without sessions are left out. */
    private final ConcurrentHashMap<String, Integer> ofUsers = new ConcurrentHashMap<>();

    /** One session and the time when it was last heard of. */
    private record Heard(String user, boolean isHome, long nanos) {
        Heard at(long later) {
            return later - nanos > 0 ? new Heard(user, isHome, later) : this;
        }
    }

    /**
     * Notes that a request has just named the session. The request does not count if it came from a user other than the
     * session's own.
     */
    public void heard(long session, String user, long nowNanos) {
        if (session != 0) {
            sessions.computeIfPresent(session, (id, before) -> before.user.equals(user) ? before.at(nowNanos) : before);
        }
    }

    /**
     * Returns the time when the session was last heard of. Adds the session with the present time if it is not in the
     * table.
     *
     * @param isHome true if the session is at home here, false if the session is a guest
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

    /**
     * Adds the sessions that a committed batch opened.
     *
     * @param records the records of the batch
     */
    public void committed(List<LogRecord> records, int shard, ShardCounts shards, long nowNanos) {
        for (LogRecord record : records) {
            if (record instanceof SessionPut put) {
                heardOrBegin(put.session(), !put.session().isGuest(shard, shards), nowNanos);
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

    /** Whether the session was heard of after the given moment. */
    public boolean isHeardAfter(long session, long thenNanos) {
        Heard heard = sessions.get(session);
        return heard != null && heard.nanos - thenNanos > 0;
    }

    /** Gives every session a full period, beginning now. */
    public void allHeard(long nowNanos) {
        sessions.replaceAll((id, before) -> before.at(nowNanos));
    }

    /** Forgets sessions that are not in the given set and were last heard of before the given moment. */
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
