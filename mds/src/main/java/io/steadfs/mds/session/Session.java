package io.steadfs.mds.session;

import io.steadfs.cluster.HomeShard;
import io.steadfs.cluster.SessionName;
import java.util.Optional;

/**
 * One client's standing with this shard. A session is opened and renewed at its home shard; at any other one that it asks
 * for a change it is a guest, there as long as its home says that it is alive. Which of both a row is follows from the
 * id. When it was last renewed is not part of it: that is kept in memory, and a
 * restart gives every session a full period. An ended session keeps its row while what it left is cleared, and some
 * time longer, so that a late duplicate of its opening does not bring it back.
 *
 * @param client for people: host, process, purpose
 * @param user who opened it
 * @param floor replies of request ids below it are pruned, and such requests are refused for ever; at least 1
 * @param openedMillis since 1970
 * @param ended closed or expired: all its requests are refused
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

    /** Whether its home is another shard than this one. */
    public static boolean isGuest(long id, int shard, int shardCount) {
        return HomeShard.of(id, Math.max(1, shardCount)) != shard;
    }

    /** With a higher floor. */
    public Session withFloor(long newFloor) {
        return new Session(id, client, user, newFloor, openedMillis, ended);
    }

    /** Closed or expired. */
    public Session withEnd() {
        return new Session(id, client, user, floor, openedMillis, true);
    }

    /**
     * Why a request of this user may not name the session; empty if it may. The one rule of whose a session is. Nothing of
     * the session is in it.
     */
    public Optional<String> refusalTo(String principal) {
        // A fence ended it before this shard knew of it, so whose it was is not known: it serves nobody.
        boolean isNobodys = ended && user.isEmpty();
        return isNobodys || user.equals(principal)
                ? Optional.empty()
                : Optional.of("the session that the request names was not opened by user '" + principal + "'");
    }

    /** A session as people and logs call it: its id is told to nobody. */
    public static String name(long id) {
        return SessionName.of(id);
    }
}
