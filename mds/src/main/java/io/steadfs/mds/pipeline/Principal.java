package io.steadfs.mds.pipeline;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.ClusterMap;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Who asks, as the authenticator believed it.
 *
 * @param superuser passes every permission check
 * @param session 0 where the request needs none
 * @param ioServer which IO server it is, as it has proven; empty of everybody else
 */
public record Principal(String user, Set<String> groups, boolean superuser, long session, OptionalInt ioServer) {
    public Principal {
        groups = Set.copyOf(groups);
    }

    /** Anybody but an IO server. */
    public Principal(String user, Set<String> groups, boolean superuser, long session) {
        this(user, groups, superuser, session, OptionalInt.empty());
    }

    /** The same, on a connection of this principal. */
    public Principal on(PeerIdentity peerIdentity) {
        boolean isIoServer =
                peerIdentity.role() == Role.SERVER && peerIdentity.name().role() == ClusterMap.Role.IO;
        return new Principal(
                user,
                groups,
                superuser,
                session,
                isIoServer ? OptionalInt.of(peerIdentity.name().number()) : OptionalInt.empty());
    }
}
