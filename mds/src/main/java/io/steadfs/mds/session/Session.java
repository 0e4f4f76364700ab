package io.steadfs.mds.session;

import io.steadfs.cluster.SessionName;
import io.steadfs.cluster.ShardCounts;
import java.util.Optional;

/**
 * What this shard knows of one client's session. A session is opened and renewed at its home shard. A session is a
 * guest at every other shard that it asks for a change. A guest stays as long as its home shard says that the session
 * is alive.
 *
 * <p>The time of the last renewal is kept in memory, and not in the row. After a restart every session gets a full
 * period. An ended session keeps its row until all that it left behind is cleared, and some time longer. So a late
 * duplicate of the request that opened the session does not open the session again.
 *
 * @param client describes the client for people: host, process, purpose
 * @param user the user who opened the session
 * @param floor lowest request id that the shard still accepts, at least 1. Requests with lower ids are refused forever,
 *     and their replies are pruned
 * @param openedMillis milliseconds since 1970
 * @param ended whether the session was closed or has expired; then all its requests are refused
 * @param namedHome number of the session's home shard plus 1. 0 = the id says which ({@link ShardCounts#home}); so it is
 *     for each session that was opened before a shard was added
 */
public record Session(
        long id, String client, String user, long floor, long openedMillis, boolean ended, int namedHome) {
    /** A session whose id says which shard is its home. */
    public Session(long id, String client, String user, long floor, long openedMillis, boolean ended) {
        this(id, client, user, floor, openedMillis, ended, 0);
    }

    public Session {
        if (id == 0) {
            throw new IllegalArgumentException("session 0 is no session");
        }
        if (floor < 1) {
            throw new IllegalArgumentException("floor " + floor + " of session " + name(id));
        }
    }

    /** Number of the session's home shard. */
    public int home(ShardCounts shards) {
        return shards.home(id, namedHome);
    }

    /** Whether the home of the session is a shard other than the given one. */
    public boolean isGuest(int shard, ShardCounts shards) {
        return home(shards) != shard;
    }

    /** The session with a higher floor. */
    public Session withFloor(long newFloor) {
        return new Session(id, client, user, newFloor, openedMillis, ended, namedHome);
    }

    /** The session after it was closed or has expired. */
    public Session withEnd() {
        return new Session(id, client, user, floor, openedMillis, true, namedHome);
    }

    /**
     * Returns why a request of the user may not use the session; empty if the request may use it. Only this method
     * decides to whom a session belongs. The reason reveals nothing of the session.
     */
    public Optional<String> refusalTo(String principal) {
        // A fence may end a session before this shard knows the session's user. Such a session serves nobody.
        boolean isNobodys = ended && user.isEmpty();
        return isNobodys || user.equals(principal)
                ? Optional.empty()
                : Optional.of("the session that the request names was not opened by user '" + principal + "'");
    }

    /** A name of the session for people and logs. The id itself is secret. */
    public static String name(long id) {
        return SessionName.of(id);
    }
}
