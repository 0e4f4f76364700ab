package io.steadfs.mds.session;

/**
 * One client's standing with this shard. When it was last renewed is not part of it: that is kept in memory, and a
 * restart gives every session a full period.
 *
 * @param client for people: host, process, purpose
 * @param user who opened it
 * @param floor replies of request ids below it are pruned, and such requests are refused for ever; at least 1
 * @param openedMillis since 1970
 */
public record Session(long id, String client, String user, long floor, long openedMillis) {
    public Session {
        if (id == 0) {
            throw new IllegalArgumentException("session 0 is no session");
        }
        if (floor < 1) {
            throw new IllegalArgumentException("floor " + floor + " of session " + name(id));
        }
    }

    Session withFloor(long newFloor) {
        return new Session(id, client, user, newFloor, openedMillis);
    }

    /** A session id as people read it. */
    public static String name(long id) {
        return String.format("%016x", id);
    }
}
