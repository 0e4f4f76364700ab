package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.cluster.ServerNames;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.LatencyCounts;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks servers for their status, including servers that the cluster map calls dead. */
final class ServerQuestion {
    /** An IO server is nearly full if writers may use less than one part in 50 of its disk. */
    private static final int NEARLY_FULL_PARTS = 50;

    private ServerQuestion() {}

    /** A question that this process has sent. */
    interface Asked {
        /** Waits for the answer. If the server does not answer, the result has only the data of the cluster map. */
        ServerStatus await();
    }

    static Asked begin(Transport transport, ClusterMap map, ClusterMap.Server server, long timeoutMillis) {
        String name = ServerNames.of(server);
        if (server.getPort() == 0) {
            ServerStatus never =
                    silent(name, server, ServerStatus.NEVER, name + " has a data directory, but never served");
            return () -> never;
        }
        DirectQuestion.Begun<StatusReply> question = DirectQuestion.begin(
                transport,
                name,
                ShardAddresses.of(map, server),
                Kind.STATUS,
                RequestHeader.newBuilder().setStep("status"),
                StatusRequest.getDefaultInstance(),
                StatusReply.class,
                timeoutMillis);
        return () -> answer(name, server, question);
    }

    private static ServerStatus answer(
            String name, ClusterMap.Server server, DirectQuestion.Begun<StatusReply> question) {
        try {
            StatusReply reply = question.await();
            if (reply.getRole() != server.getRole() || reply.getId() != server.getId()) {
                String other = ServerNames.of(reply.getRole(), reply.getId());
                return silent(
                        name,
                        server,
                        ServerStatus.DOWN,
                        name + " does not run: at " + address(server) + " answers " + other);
            }
            return answering(name, server, reply);
        } catch (FsException e) {
            return server.getAlive()
                    ? silent(
                            name,
                            server,
                            ServerStatus.SILENT,
                            name + " at " + address(server) + " does not answer (" + e.error()
                                    + "), but the cluster map says alive")
                    : silent(
                            name,
                            server,
                            ServerStatus.DOWN,
                            name + " at " + address(server) + " does not run: neither ZooKeeper nor we hear of it");
        }
    }

    private static ServerStatus answering(String name, ClusterMap.Server server, StatusReply reply) {
        List<String> problems = new ArrayList<>();
        String zooKeeper = reply.getZookeeperProblem();
        if (!server.getAlive() && zooKeeper.isEmpty()) {
            problems.add(name + " at " + address(server)
                    + " answers, but the cluster map says not alive: it has lost ZooKeeper");
        }
        reply.getProblemsList().stream()
                .filter(problem -> !problem.equals(zooKeeper))
                .forEach(problem -> problems.add(name + ": " + problem));
        Map<String, Long> gauges = new TreeMap<>(reply.getGaugesMap());
        ServerSpace space = server.getRole() == ClusterMap.Role.IO ? ioSpace(server, gauges) : mdsSpace(server, gauges);
        if (server.getRole() == ClusterMap.Role.IO) {
            nearlyFull(name, space).ifPresent(problems::add);
        }
        return new ServerStatus(
                name,
                address(server),
                ServerStatus.SERVES,
                reply.getUptimeMillis(),
                space,
                new TreeMap<>(reply.getCountersMap()),
                gauges,
                latencies(reply),
                problems,
                zooKeeper);
    }

    private static Map<String, LatencyCounts> latencies(StatusReply reply) {
        Map<String, LatencyCounts> latencies = new TreeMap<>();
        reply.getLatenciesList().forEach(told -> latencies.put(told.getKind(), LatencyCounts.of(told)));
        return latencies;
    }

    private static ServerSpace ioSpace(ClusterMap.Server server, Map<String, Long> gauges) {
        return new ServerSpace(
                ServerNames.of(server),
                true,
                gauges.getOrDefault("space.capacity.bytes", server.getCapacityBytes()),
                gauges.getOrDefault("space.usable.bytes", server.getFreeBytes()),
                gauges.getOrDefault("space.stored.bytes", server.getUsedBytes()),
                server.getDisk(),
                System.currentTimeMillis());
    }

    private static ServerSpace mdsSpace(ClusterMap.Server server, Map<String, Long> gauges) {
        return new ServerSpace(
                ServerNames.of(server),
                true,
                gauges.getOrDefault("disk.capacity.bytes", 0L),
                gauges.getOrDefault("disk.free.bytes", 0L),
                gauges.getOrDefault("store.files.bytes", 0L),
                server.getDisk(),
                System.currentTimeMillis());
    }

    private static Optional<String> nearlyFull(String name, ServerSpace space) {
        if (space.freeBytes() == 0) {
            return Optional.of(
                    name + ": disk full: nothing of " + (space.capacityBytes() >> 20) + " MiB may be written");
        }
        return space.freeBytes() < space.capacityBytes() / NEARLY_FULL_PARTS
                ? Optional.of(name + ": disk nearly full: " + (space.freeBytes() >> 20) + " MiB of "
                        + (space.capacityBytes() >> 20) + " MiB may be written")
                : Optional.empty();
    }

    private static ServerStatus silent(String name, ClusterMap.Server server, String state, String problem) {
        return new ServerStatus(
                name,
                server.getPort() == 0 ? "" : address(server),
                state,
                0,
                new ServerSpace(
                        name,
                        false,
                        server.getCapacityBytes(),
                        server.getFreeBytes(),
                        server.getUsedBytes(),
                        server.getDisk(),
                        server.getFiguresMillis()),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(problem),
                "");
    }

    private static String address(ClusterMap.Server server) {
        return new ServerAddress(server.getHost(), server.getPort()).toString();
    }
}
