package io.steadfs.mds.session;

import io.steadfs.config.ConfigKey;
import io.steadfs.mds.record.LogRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When each session was last heard of, on the monotonic clock. In memory only: a restart begins with nothing, so every
 * session gets a full period. A session is in it from the commit of its opening on, or from when the first look for dead
 * ones met it; hearing of one that is not in it does nothing, so the table holds no more than the sessions that exist.
 * Only requests of its own user count. From any thread.
 *
 * <p>Counts the sessions that are at home here, of each user too: ended ones until they are forgotten, so that opening and
 * closing in a loop is bounded like opening alone. GuestSessions are not counted: each is one of another shard's own.
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

    /** How many of them are at home here. */
    private final AtomicInteger atHome = new AtomicInteger();

    /** The same by user. Users without any are not in it. */
    private final ConcurrentHashMap<String, Integer> ofUsers = new ConcurrentHashMap<>();

    /** One session, and when it was last heard of. */
    private record Heard(String user, boolean isHome, long nanos) {
        Heard at(long later) {
            return later - nanos > 0 ? new Heard(user, isHome, later) : this;
        }
    }

    /** A request named it here; of another user than its own that says nothing. */
    public void heard(long session, String user, long nowNanos) {
        if (session != 0) {
            sessions.computeIfPresent(session, (id, before) -> before.user.equals(user) ? before.at(nowNanos) : before);
        }
    }

    /**
     * When it was last heard of; now, if its count begins now.
     *
     * @param isHome it is no guest
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

    /** A batch put these on record: new sessions among them count from now on. */
    public void committed(List<LogRecord> records, int shard, int shardCount, long nowNanos) {
        for (LogRecord record : records) {
            if (record instanceof SessionPut put) {
                long id = put.session().id();
                heardOrBegin(put.session(), !Session.isGuest(id, shard, shardCount), nowNanos);
            }
        }
    }

    /** Sessions that are at home here. */
    public int atHome() {
        return atHome.get();
    }

    /** Sessions of a user that are at home here. */
    public int atHome(String user) {
        return ofUsers.getOrDefault(user, 0);
    }

    /** Whether it was heard of later than then. */
    public boolean isHeardAfter(long session, long thenNanos) {
        Heard heard = sessions.get(session);
        return heard != null && heard.nanos - thenNanos > 0;
    }

    /** Everybody gets a full period from now. */
    public void allHeard(long nowNanos) {
        sessions.replaceAll((id, before) -> before.at(nowNanos));
    }

    /** Forgets those that were last heard of before the given moment and are not among these. */
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
