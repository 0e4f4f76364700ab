package io.steadfs.hello;

import io.steadfs.wire.Role;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The identity that a process shows when the process opens connections.
 *
 * @param self identity of this process
 * @param secret gives the present cluster secret; empty if this process is no server
 */
public record Introduction(PeerIdentity self, Optional<Supplier<ClusterSecret>> secret) {
    public Introduction {
        if (secret.isPresent() != (self.role() == Role.SERVER)) {
            throw new IllegalArgumentException("servers, and no other processes, have the cluster secret: " + self);
        }
    }

    /** The introduction of a client, with the login name of the user who runs this process. */
    public static Introduction client() {
        return new Introduction(PeerIdentity.client(loginName()), Optional.empty());
    }

    /** The introduction of an operator's tool, with the login name of the user who runs this process. */
    public static Introduction admin() {
        return new Introduction(PeerIdentity.admin(loginName()), Optional.empty());
    }

    public static Introduction server(PeerName self, Supplier<ClusterSecret> secret) {
        return new Introduction(PeerIdentity.server(self), Optional.of(secret));
    }

    private static String loginName() {
        String name = System.getProperty("user.name", "");
        return name.length() <= PeerIdentity.MOST_USER_CHARACTERS
                ? name
                : name.substring(0, PeerIdentity.MOST_USER_CHARACTERS);
    }
}
