package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace;
import io.steadfs.cluster.ServerNames;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of all servers of a cluster, and what is wrong.
 *
 * @param faults one for each thing that is wrong, however many servers report it; those that make names or bytes unreachable come first
 */
public record ClusterStatus(String fileSystem, long epoch, int shards, List<ServerStatus> servers, List<Fault> faults) {
    /** Prefixes of the names of gauges that count sessions and unfinished work. */
    private static final List<String> PENDING = List.of("sessions.", "deletion.", "recovery.", "intents.", "outbox.");

    public ClusterStatus {
        servers = List.copyOf(servers);
        faults = List.copyOf(faults);
    }

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
        SortedMap<Integer, String> hostOf = new TreeMap<>();
        for (int shard = 0; shard < map.getShardCount(); shard++) {
            OptionalInt host = ShardAddresses.host(map, shard);
            if (host.isPresent()) {
                hostOf.put(shard, ServerNames.of(ClusterMap.Role.MDS, host.getAsInt()));
            }
        }
        return new ClusterStatus(
                map.getFileSystem(),
                map.getEpoch(),
                map.getShardCount(),
                servers,
                Faults.of(servers, map.getShardCount(), hostOf));
    }

    /** The status of a cluster of which no server was ever reached. */
    public static ClusterStatus unknown(String why) {
        return new ClusterStatus("", 0, 0, List.of(), List.of(new Fault(Fault.CLUSTER, true, why, List.of())));
    }

    public boolean isWell() {
        return faults.isEmpty();
    }

    /** The texts of the faults. */
    public List<String> problems() {
        return faults.stream().map(Fault::text).toList();
    }

    /** How many servers answered. */
    public long answered() {
        return servers.stream().filter(ServerStatus::answers).count();
    }

    /** The space on all IO servers. For a server that did not answer, the last known figures count. */
    public ClusterSpace space() {
        return ClusterSpace.of(servers.stream()
                .filter(server -> server.name().startsWith("io-"))
                .map(ServerStatus::space)
                .toList());
    }

    /** Unfinished work and open sessions, over all servers that answer. Neither is a problem by itself. */
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
