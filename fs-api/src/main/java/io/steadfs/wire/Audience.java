package io.steadfs.wire;

/**
 * Says who may send a kind of message. Each audience includes the audiences below it in this table, because servers
 * also send what clients send:
 *
 * <pre>
 *            client   admin   server
 * ANYONE     yes      yes     yes     needs no user
 * USER       yes      yes     yes
 * ADMIN      -        yes     yes     of an admin, the superuser or a member of the supergroup, by name
 * SERVER     -        -       yes     has proven the cluster secret
 * </pre>
 */
public enum Audience {
    /** Every peer, even a peer that names no user. For kinds that a process must send before it can send others. */
    ANYONE(Role.CLIENT, "anyone"),
    /** Programs that work with files for a user. */
    USER(Role.CLIENT, "users"),
    /** Operators who inspect servers and repair the servers' data. */
    ADMIN(Role.ADMIN, "admins"),
    /** Servers of the same file system, and nobody else. */
    SERVER(Role.SERVER, "servers");

    private final Role least;
    private final String words;

    Audience(Role least, String words) {
        this.least = least;
        this.words = words;
    }

    /** Whether a connection with this role may carry kinds of this audience. */
    public boolean admits(Role role) {
        return role.compareTo(least) >= 0;
    }

    /** Name of the audience for use within a sentence. */
    @Override
    public String toString() {
        return words;
    }
}
