package io.steadfs.hello;

import io.steadfs.wire.Role;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a process introduces itself when it opens connections.
 *
 * @param secret of a server, as it is now; empty for others
 */
public record Introduction(PeerIdentity self, Optional<Supplier<ClusterSecret>> secret) {
    public Introduction {
        if (secret.isPresent() != (self.role() == Role.SERVER)) {
            throw new IllegalArgumentException("servers have the cluster secret and nobody else: " + self);
        }
    }

    /** For a client. Its user is the one who runs this process. */
    public static Introduction client() {
        return new Introduction(PeerIdentity.client(loginName()), Optional.empty());
    }

    /** For an operator's tool. Its user is the one who runs this process. */
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
