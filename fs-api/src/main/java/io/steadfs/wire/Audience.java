package io.steadfs.wire;

/**
 * Who may send a kind. Each audience includes those below it, since servers also do what clients do:
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
    /** Also who says no user: what a process must know before it can say anything else. */
    ANYONE(Role.CLIENT, "anyone"),
    /** Whoever works with files. */
    USER(Role.CLIENT, "users"),
    /** Who looks into servers and mends what they hold. */
    ADMIN(Role.ADMIN, "admins"),
    /** Only servers among themselves. */
    SERVER(Role.SERVER, "servers");

    private final Role least;
    private final String words;

    Audience(Role least, String words) {
        this.least = least;
        this.words = words;
    }

    /** Whether a connection of this role may carry it. */
    public boolean admits(Role role) {
        return role.compareTo(least) >= 0;
    }

    /** In words of a sentence. */
    @Override
    public String toString() {
        return words;
    }
}
