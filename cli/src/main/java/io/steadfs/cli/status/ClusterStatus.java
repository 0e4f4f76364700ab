package io.steadfs.cli.status;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.counting.StatusOf;
import io.steadfs.error.FsException;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** All servers of a cluster, and what is wrong with each. */
record ClusterStatus(String fileSystem, long epoch, int shards, List<ServerStatus> servers) {

    /** @throws FsException if no metadata server answers */
    static ClusterStatus ask(Connection connection) throws FsException {
        ClusterMap map = connection.fs().clusterMap();
        List<ServerStatus> servers = new ArrayList<>();
        for (ClusterMap.Server server : map.getServersList()) {
            servers.add(ask(connection, server));
        }
        return new ClusterStatus(map.getFileSystem(), map.getEpoch(), map.getShardCount(), servers);
    }

    private static ServerStatus ask(Connection connection, ClusterMap.Server server) {
        String name = server.getRole().name().toLowerCase(Locale.ROOT) + "-" + server.getId();
        if (!server.getAlive()) {
            return without(name, server, "not alive", name + " does not run, or has lost ZooKeeper");
        }
        try {
            StatusReply reply = StatusOf.server(
                    connection.transport(), name, new ServerAddress(server.getHost(), server.getPort()));
            return new ServerStatus(
                    name,
                    server.getHost() + ":" + server.getPort(),
                    "serves",
                    reply.getUptimeMillis(),
                    server.getCapacityBytes(),
                    server.getFreeBytes(),
                    new TreeMap<>(reply.getCountersMap()),
                    new TreeMap<>(reply.getGaugesMap()),
                    reply.getProblemsList().stream()
                            .map(problem -> name + ": " + problem)
                            .toList());
        } catch (FsException e) {
            return without(name, server, "silent", String.valueOf(e.getMessage()));
        }
    }

    private static ServerStatus without(String name, ClusterMap.Server server, String state, String problem) {
        return new ServerStatus(
                name,
                server.getHost().isEmpty() ? "" : server.getHost() + ":" + server.getPort(),
                state,
                0,
                server.getCapacityBytes(),
                server.getFreeBytes(),
                Map.of(),
                Map.of(),
                List.of(problem));
    }

    boolean isWell() {
        return problems().isEmpty();
    }

    List<String> problems() {
        return servers.stream().flatMap(server -> server.problems().stream()).toList();
    }
}
