package io.steadfs.hello;

import io.steadfs.wire.Role;

/**
 * Who is at the other end of a connection, as its HELLO said. Servers have proven it; others have only said it.
 *
 * @param name which server, of role SERVER; else {@link PeerName#ANYBODY}
 * @param user login name of a client's process; empty for servers and where no name was given
 */
public record PeerIdentity(Role role, PeerName name, String user) {
    /** Most characters of a user's name. */
    public static final int MOST_USER_CHARACTERS = 255;

    public static PeerIdentity client(String user) {
        return new PeerIdentity(Role.CLIENT, PeerName.ANYBODY, user);
    }

    public static PeerIdentity admin(String user) {
        return new PeerIdentity(Role.ADMIN, PeerName.ANYBODY, user);
    }

    public static PeerIdentity server(PeerName name) {
        return new PeerIdentity(Role.SERVER, name, "");
    }

    /** As {@code client of user alice}, {@code server io-3 of file system 7f...}. */
    @Override
    public String toString() {
        return role == Role.SERVER ? "server " + name : role + (user.isEmpty() ? "" : " of user " + user);
    }
}
