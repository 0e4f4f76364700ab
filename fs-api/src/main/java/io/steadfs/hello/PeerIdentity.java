package io.steadfs.hello;

import io.steadfs.wire.Role;

/**
 * The identity of the process at the other end of a connection, from its HELLO. A server has proven its identity by the
 * cluster secret. The identity of a client or an admin is not proven.
 *
 * @param name name of the server if the role is SERVER; else {@link PeerName#ANYBODY}
 * @param user login name of the user who runs the process; empty for servers, and if the HELLO gave no name
 */
public record PeerIdentity(Role role, PeerName name, String user) {
    /** Largest number of characters in a user's name. */
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

    /** For example {@code client of user alice} or {@code server io-3 of file system 7f...}. */
    @Override
    public String toString() {
        return role == Role.SERVER ? "server " + name : role + (user.isEmpty() ? "" : " of user " + user);
    }
}
