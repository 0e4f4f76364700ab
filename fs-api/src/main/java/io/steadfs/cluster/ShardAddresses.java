package io.steadfs.cluster;

import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the addresses of servers and of the hosts of shards in a cluster map. */
public final class ShardAddresses {
    private ShardAddresses() {}

    /**
     * Address of the server, with the name of the server that must answer at the address.
     *
     * @throws IllegalArgumentException if the map has no valid address; the message contains the wrong text
     */
    public static ServerAddress of(ClusterMap map, ClusterMap.Server server) {
        return new ServerAddress(
                server.getHost(),
                server.getPort(),
                new PeerName(map.getFileSystem(), server.getRole(), server.getId()));
    }

    /** Number of the metadata server that hosts the shard. Empty if no server has ever hosted the shard. */
    public static OptionalInt host(ClusterMap map, int shard) {
        return map.getShardsList().stream()
                .filter(each -> each.getNumber() == shard)
                .mapToInt(ClusterMap.Shard::getServer)
                .findAny();
    }

    /**
     * Address of the metadata server that hosts the shard, alive or not. Empty if the shard has no host, or its host
     * has no address in the map.
     */
    public static Optional<ServerAddress> find(ClusterMap map, int shard) {
        OptionalInt host = host(map, shard);
        if (host.isEmpty()) {
            return Optional.empty();
        }
        return map.getServersList().stream()
                .filter(each -> each.getRole() == ClusterMap.Role.MDS && each.getId() == host.getAsInt())
                .filter(each -> each.getPort() > 0 && !each.getHost().isEmpty())
                .map(each -> of(map, each))
                .findAny();
    }
}
