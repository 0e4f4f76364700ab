package io.steadfs.cluster;

import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.OptionalInt;

/** Where the servers of shards are, according to a cluster map. */
public final class ShardAddresses {
    private ShardAddresses() {}

    /**
     * Where the server listens, and which server is meant there.
     *
     * @throws IllegalArgumentException naming the text that is no address
     */
    public static ServerAddress of(ClusterMap map, ClusterMap.Server server) {
        return new ServerAddress(
                server.getHost(),
                server.getPort(),
                new PeerName(map.getFileSystem(), server.getRole(), server.getId()));
    }

    /** Number of the metadata server that hosts the shard. Empty where no server ever did. */
    public static OptionalInt host(ClusterMap map, int shard) {
        return map.getShardsList().stream()
                .filter(each -> each.getNumber() == shard)
                .mapToInt(ClusterMap.Shard::getServer)
                .findAny();
    }

    /** Where the host of the shard listens, alive or not. Empty where the shard has no host, or its host was never announced. */
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
