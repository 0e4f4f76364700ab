package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace;
import io.steadfs.cluster.ServerNames;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of all servers of a cluster, and the faults of the cluster.
 *
 * @param faults one for each thing that is wrong, even if several servers report that thing. Faults that make names or
 *     bytes unreachable come first
 */
public record ClusterStatus(String fileSystem, long epoch, int shards, List<ServerStatus> servers, List<Fault> faults) {
    /** Gauges with these prefixes count sessions and unfinished work. */
    private static final List<String> PENDING =
            List.of("sessions.", "deletion.", "recovery.", "intents.", "outbox.", "copies.waiting");

    public ClusterStatus {
        servers = List.copyOf(servers);
        faults = List.copyOf(faults);
    }

    /**
     * Asks all servers of the map at the same time.
     *
     * @param timeoutMillis for each server
     */
    public static ClusterStatus ask(Transport transport, ClusterMap map, long timeoutMillis) {
        List<ServerQuestion.Asked> asked = map.getServersList().stream()
                .map(server -> ServerQuestion.begin(transport, map, server, timeoutMillis))
                .toList();
        return of(map, asked.stream().map(ServerQuestion.Asked::await).toList());
    }

    static ClusterStatus of(ClusterMap map, List<ServerStatus> servers) {
        SortedMap<Integer, String> hostOf = new TreeMap<>();
        int shards = ShardCounts.of(map).all();
        for (int shard = 0; shard < shards; shard++) {
            OptionalInt host = ShardAddresses.host(map, shard);
            if (host.isPresent()) {
                hostOf.put(shard, ServerNames.of(ClusterMap.Role.MDS, host.getAsInt()));
            }
        }
        return new ClusterStatus(
                map.getFileSystem(), map.getEpoch(), shards, servers, Faults.of(servers, shards, hostOf));
    }

    /**
     * The status to show if this process has never reached a server of the cluster.
     *
     * @param why the text of the only fault
     */
    public static ClusterStatus unknown(String why) {
        return new ClusterStatus("", 0, 0, List.of(), List.of(new Fault(Fault.CLUSTER, true, why, List.of())));
    }

    public boolean isWell() {
        return faults.isEmpty();
    }

    /** The text of each fault. */
    public List<String> problems() {
        return faults.stream().map(Fault::text).toList();
    }

    /** The number of servers that answered. */
    public long answered() {
        return servers.stream().filter(ServerStatus::answers).count();
    }

    /** The space on all IO servers. A server that did not answer counts with its last known figures. */
    public ClusterSpace space() {
        return ClusterSpace.of(servers.stream()
                .filter(server -> server.name().startsWith("io-"))
                .map(ServerStatus::space)
                .toList());
    }

    /**
     * Counts of open sessions and of unfinished work, summed over all servers that answer. A large count alone is no
     * problem.
     */
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
