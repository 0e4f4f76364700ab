package io.steadfs.cluster;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds servers in one cluster map, by the number of a shard or by the id of a server. Immutable. */
public final class ClusterView {
    private final ClusterMap map;
    private final ShardCounts counts;
    private final Map<Integer, ServerAddress> shards = new HashMap<>();
    private final Map<Integer, ServerAddress> ioServers = new HashMap<>();
    private final List<Integer> aliveIoServers = new ArrayList<>();
    private final List<ServerAddress> metadataServers = new ArrayList<>();

    /** @throws IllegalArgumentException if the map has a wrong address; the message names the server and the mistake */
    public ClusterView(ClusterMap map) {
        this.map = map;
        this.counts = ShardCounts.of(map);
        Map<Integer, ServerAddress> byId = new HashMap<>();
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getHost().isEmpty() || server.getPort() == 0) {
                continue; // the server has a data directory, but has never served
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

    /**
     * Whether both maps may be of the same file system. If one of the maps names no file system, the result is true.
     */
    boolean isOfSameFileSystem(ClusterView other) {
        String mine = map.getFileSystem();
        String others = other.map.getFileSystem();
        return mine.isEmpty() || others.isEmpty() || mine.equals(others);
    }

    public long epoch() {
        return map.getEpoch();
    }

    public ShardCounts shards() {
        return counts;
    }

    /** Address of the metadata server that hosts the shard; empty if the map names no such server. */
    public Optional<ServerAddress> shard(int number) {
        return Optional.ofNullable(shards.get(number));
    }

    /** Address of the IO server with this id, alive or not; empty if the map does not contain the id. */
    public Optional<ServerAddress> ioServer(int id) {
        return Optional.ofNullable(ioServers.get(id));
    }

    /** Ids of the alive IO servers, in rising order. */
    public List<Integer> aliveIoServers() {
        return Collections.unmodifiableList(aliveIoServers);
    }

    public List<ServerAddress> metadataServers() {
        return Collections.unmodifiableList(metadataServers);
    }
}
