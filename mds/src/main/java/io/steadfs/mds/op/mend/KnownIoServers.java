package io.steadfs.mds.op.mend;

import io.steadfs.mds.op.ground.Context;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;

/** The IO servers of the cluster that this shard knows. A shard that has just started may not know the cluster yet. */
record KnownIoServers(List<Integer> ids) {
    static KnownIoServers of(Context context) {
        return new KnownIoServers(context.inputs().cluster().getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.IO)
                .map(ClusterMap.Server::getId)
                .toList());
    }

    /**
     * Whether the cluster certainly does not have the server. The answer is false while the shard knows no IO server.
     */
    boolean lack(int server) {
        return !ids.isEmpty() && !ids.contains(server);
    }
}
