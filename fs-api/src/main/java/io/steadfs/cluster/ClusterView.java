package io.steadfs.cluster;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One cluster map, looked up by shard and by server id. Immutable. */
public final class ClusterView {
    private final ClusterMap map;
    private final Map<Integer, ServerAddress> shards = new HashMap<>();
    private final Map<Integer, ServerAddress> ioServers = new HashMap<>();
    private final List<Integer> aliveIoServers = new ArrayList<>();
    private final List<ServerAddress> metadataServers = new ArrayList<>();

    /** @throws IllegalArgumentException naming the server and what is wrong with its address in the map */
    public ClusterView(ClusterMap map) {
        this.map = map;
        Map<Integer, ServerAddress> byId = new HashMap<>();
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getHost().isEmpty() || server.getPort() == 0) {
                continue; // it has a data directory, but never served
            }
            if (server.getRole() == ClusterMap.Role.MDS) {
                byId.put(server.getId(), address(server));
                metadataServers.add(address(server));
            } else if (server.getRole() == ClusterMap.Role.IO) {
                ioServers.put(server.getId(), address(server));
                if (server.getAlive()) {
                    aliveIoServers.add(server.getId());
                }
            }
        }
        for (ClusterMap.Shard shard : map.getShardsList()) {
            ServerAddress address = byId.get(shard.getServer());
            if (address != null) {
                shards.put(shard.getNumber(), address);
            }
        }
        Collections.sort(aliveIoServers);
    }

    private ServerAddress address(ClusterMap.Server server) {
        try {
            return ShardAddresses.of(map, server);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "address of " + server.getRole() + " server " + server.getId() + ": " + e.getMessage(), e);
        }
    }

    public ClusterMap map() {
        return map;
    }

    /** Whether both maps are of the same file system. If one of them does not name its file system, they may be, so this is true. */
    boolean isOfSameFileSystem(ClusterView other) {
        String mine = map.getFileSystem();
        String others = other.map.getFileSystem();
        return mine.isEmpty() || others.isEmpty() || mine.equals(others);
    }

    public long epoch() {
        return map.getEpoch();
    }

    public int shardCount() {
        return Math.max(1, map.getShardCount());
    }

    /** Where the metadata server that hosts the shard listens; empty where the map names none. */
    public Optional<ServerAddress> shard(int number) {
        return Optional.ofNullable(shards.get(number));
    }

    /** Where the IO server listens, alive or not; empty for an id that the map does not know. */
    public Optional<ServerAddress> ioServer(int id) {
        return Optional.ofNullable(ioServers.get(id));
    }

    /** Ids of the IO servers that are alive, rising. */
    public List<Integer> aliveIoServers() {
        return Collections.unmodifiableList(aliveIoServers);
    }

    public List<ServerAddress> metadataServers() {
        return Collections.unmodifiableList(metadataServers);
    }
}
