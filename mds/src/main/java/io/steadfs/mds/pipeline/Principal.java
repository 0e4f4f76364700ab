package io.steadfs.mds.pipeline;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.ClusterMap;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The caller of a request, after the authenticator has accepted the caller.
 *
 * @param superuser whether the caller passes every permission check
 * @param session number of the caller's session; 0 = the request needs no session
 * @param requestId number of the request within its session; 0 = no reply is recorded
 * @param traceId the client's name of the operation to which the request belongs; 0 = none
 * @param ioServer number of the IO server that the caller has proven to be; empty for all other callers
 */
public record Principal(
        String user,
        Set<String> groups,
        boolean superuser,
        long session,
        long requestId,
        long traceId,
        OptionalInt ioServer) {
    public Principal {
        groups = Set.copyOf(groups);
    }

    /** Makes a caller that is not an IO server, and that never walks from shard to shard. */
    public Principal(String user, Set<String> groups, boolean superuser, long session) {
        this(user, groups, superuser, session, 0, 0, OptionalInt.empty());
    }

    /** Returns the same caller on a connection of this peer. */
    public Principal on(PeerIdentity peerIdentity) {
        boolean isIoServer =
                peerIdentity.role() == Role.SERVER && peerIdentity.name().role() == ClusterMap.Role.IO;
        return new Principal(
                user,
                groups,
                superuser,
                session,
                requestId,
                traceId,
                isIoServer ? OptionalInt.of(peerIdentity.name().number()) : OptionalInt.empty());
    }
}
