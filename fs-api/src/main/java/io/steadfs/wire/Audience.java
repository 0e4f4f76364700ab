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
    /** Also a peer that names no user. For kinds that a process needs before it can say anything else. */
    ANYONE(Role.CLIENT, "anyone"),
    /** A program that works with files. */
    USER(Role.CLIENT, "users"),
    /** An operator who inspects servers and repairs their data. */
    ADMIN(Role.ADMIN, "admins"),
    /** Only servers among themselves. */
    SERVER(Role.SERVER, "servers");

    private final Role least;
    private final String words;

    Audience(Role least, String words) {
        this.least = least;
        this.words = words;
    }

    /** Whether a connection of this role may carry such a kind. */
    public boolean admits(Role role) {
        return role.compareTo(least) >= 0;
    }

    /** In the words of a sentence. */
    @Override
    public String toString() {
        return words;
    }
}
