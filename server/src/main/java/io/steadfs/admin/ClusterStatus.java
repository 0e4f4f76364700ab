package io.steadfs.admin;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.rpc.Transport;
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
public record ClusterStatus(
        String fileSystem, long epoch, int shards, List<ServerStatus> servers, List<String> shardProblems) {
    /** Beginnings of the names of gauges that count sessions, and work which is not done yet. */
    private static final List<String> PENDING = List.of("sessions.", "deletion.", "recovery.", "intents.", "outbox.");

    /**
     * Asks all servers at once.
     *
     * @param timeoutMillis for each
     */
    public static ClusterStatus ask(Transport transport, ClusterMap map, long timeoutMillis) {
        List<ServerQuestion.Asked> asked = map.getServersList().stream()
                .map(server -> ServerQuestion.begin(transport, map, server, timeoutMillis))
                .toList();
        return of(map, asked.stream().map(ServerQuestion.Asked::await).toList());
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

    public boolean isWell() {
        return problems().isEmpty();
    }

    /** Of servers, then of shards. */
    public List<String> problems() {
        return Stream.concat(servers.stream().flatMap(server -> server.problems().stream()), shardProblems.stream())
                .toList();
    }

    /** Work that is not done yet, and open sessions, over all servers that answer. No problem as such. */
    public SortedMap<String, Long> pending() {
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
