package io.steadfs.mds.pipeline;

import io.steadfs.hello.Principal;
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
public record Asker(String user, Set<String> groups, boolean superuser, long session, OptionalInt ioServer) {
    public Asker {
        groups = Set.copyOf(groups);
    }

    /** Anybody but an IO server. */
    public Asker(String user, Set<String> groups, boolean superuser, long session) {
        this(user, groups, superuser, session, OptionalInt.empty());
    }

    /** The same, on a connection of this principal. */
    public Asker on(Principal principal) {
        boolean isIoServer = principal.role() == Role.SERVER && principal.name().role() == ClusterMap.Role.IO;
        return new Asker(
                user,
                groups,
                superuser,
                session,
                isIoServer ? OptionalInt.of(principal.name().number()) : OptionalInt.empty());
    }
}
