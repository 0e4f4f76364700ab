package io.steadfs.cli.status;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All servers of a cluster, and what is wrong with each.
 *
 * @param shardProblems one line for each shard that nobody serves
 */
record ClusterStatus(
        String fileSystem, long epoch, int shards, List<ServerStatus> servers, List<String> shardProblems) {
    /** Beginnings of the names of gauges that count sessions, and work which is not done yet. */
    private static final List<String> PENDING = List.of("sessions.", "deletion.", "recovery.", "intents.", "outbox.");

    /** @throws FsException if no metadata server answers */
    static ClusterStatus ask(Connection connection) throws FsException {
        ClusterMap map = connection.fs().clusterMap();
        List<ServerStatus> servers = map.getServersList().parallelStream()
                .map(server -> ServerQuestion.ask(connection.transport(), server))
                .toList();
        return of(map, servers);
    }

    static ClusterStatus of(ClusterMap map, List<ServerStatus> servers) {
        List<String> shardProblems = new ArrayList<>();
        for (int shard = 0; shard < map.getShardCount(); shard++) {
            OptionalInt host = ShardAddresses.host(map, shard);
            if (host.isEmpty()) {
                shardProblems.add("shard " + shard + " has no host: no metadata server ever served it");
                continue;
            }
            String name = "mds-" + host.getAsInt();
            int number = shard;
            servers.stream()
                    .filter(server -> server.name().equals(name) && !server.answers())
                    .forEach(server -> shardProblems.add(
                            "shard " + number + " is not served: its host " + name + " is " + server.state()));
        }
        return new ClusterStatus(map.getFileSystem(), map.getEpoch(), map.getShardCount(), servers, shardProblems);
    }

    boolean isWell() {
        return problems().isEmpty();
    }

    /** Of servers, then of shards. */
    List<String> problems() {
        return Stream.concat(servers.stream().flatMap(server -> server.problems().stream()), shardProblems.stream())
                .toList();
    }

    /** Work that is not done yet, and open sessions, over all servers that answer. No problem as such. */
    SortedMap<String, Long> pending() {
        TreeMap<String, Long> sums = new TreeMap<>();
        for (ServerStatus server : servers) {
            server.gauges().forEach((name, value) -> {
                if (PENDING.stream().anyMatch(name::startsWith)) {
                    sums.merge(name, value, Long::sum);
                }
            });
        }
        return sums;
    }
}
