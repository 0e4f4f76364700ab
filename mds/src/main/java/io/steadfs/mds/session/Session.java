package io.steadfs.mds.session;

import io.steadfs.cluster.HomeShard;
import io.steadfs.cluster.SessionName;
import java.util.Optional;

/**
 * What this shard knows of one client's session. A session is opened and renewed at its home shard. At any other shard that
 * it asks for a change it is a guest, and stays there as long as its home says that it is alive. The session's id tells which
 * of the two a row is.
 *
 * <p>The time of the last renewal is not part of the row. It is kept in memory, and a restart gives every session a full
 * period. An ended session keeps its row until all that it left is cleared, and some time longer. So a late duplicate of its
 * opening does not bring it back.
 *
 * @param client describes the client for people: host, process, purpose
 * @param user the user who opened the session
 * @param floor replies to request ids below it are pruned, and requests with such ids are refused forever; at least 1
 * @param openedMillis since 1970
 * @param ended the session was closed or expired: all its requests are refused
 */
public record Session(long id, String client, String user, long floor, long openedMillis, boolean ended) {
    public Session {
        if (id == 0) {
            throw new IllegalArgumentException("session 0 is no session");
        }
        if (floor < 1) {
            throw new IllegalArgumentException("floor " + floor + " of session " + name(id));
        }
    }

    /** Whether the session's home is another shard than this one. */
    public static boolean isGuest(long id, int shard, int shardCount) {
        return HomeShard.of(id, Math.max(1, shardCount)) != shard;
    }

    /** The session with a higher floor. */
    public Session withFloor(long newFloor) {
        return new Session(id, client, user, newFloor, openedMillis, ended);
    }

    /** The session as closed or expired. */
    public Session withEnd() {
        return new Session(id, client, user, floor, openedMillis, true);
    }

    /**
     * Why a request of this user may not name the session; empty if it may. This is the only rule that says to whom a session
     * belongs. The reason reveals nothing of the session.
     */
    public Optional<String> refusalTo(String principal) {
        // A fence ended the session before this shard knew it. So its user is not known, and it serves nobody.
        boolean isNobodys = ended && user.isEmpty();
        return isNobodys || user.equals(principal)
                ? Optional.empty()
                : Optional.of("the session that the request names was not opened by user '" + principal + "'");
    }

    /** A name of the session for people and logs. The id itself is told to nobody. */
    public static String name(long id) {
        return SessionName.of(id);
    }
}
