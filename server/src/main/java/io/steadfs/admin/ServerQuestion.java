package io.steadfs.admin;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Asks servers how they are, whatever the cluster map thinks of it. */
final class ServerQuestion {
    /** An IO server with a smaller part of its disk left for writers is nearly full. */
    private static final int NEARLY_FULL_PARTS = 50;

    private ServerQuestion() {}

    /** A question that was sent. */
    interface Asked {
        /** Whatever there is to say of the server, also if it does not answer. */
        ServerStatus await();
    }

    static Asked begin(Transport transport, ClusterMap map, ClusterMap.Server server, long timeoutMillis) {
        String name = server.getRole().name().toLowerCase(Locale.ROOT) + "-" + server.getId();
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
                String other = reply.getRole().name().toLowerCase(Locale.ROOT) + "-" + reply.getId();
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
        if (!server.getAlive()) {
            problems.add(name + " at " + address(server)
                    + " answers, but the cluster map says not alive: it has lost ZooKeeper");
        }
        reply.getProblemsList().forEach(problem -> problems.add(name + ": " + problem));
        Map<String, Long> gauges = new TreeMap<>(reply.getGaugesMap());
        if (server.getRole() == ClusterMap.Role.IO) {
            long usable = gauges.getOrDefault("space.usable.bytes", server.getFreeBytes());
            long capacity = gauges.getOrDefault("space.capacity.bytes", server.getCapacityBytes());
            if (usable == 0) {
                problems.add(name + ": disk full: nothing of " + (capacity >> 20) + " MiB may be written");
            } else if (usable < capacity / NEARLY_FULL_PARTS) {
                problems.add(name + ": disk nearly full: " + (usable >> 20) + " MiB of " + (capacity >> 20)
                        + " MiB may be written");
            }
        }
        return new ServerStatus(
                name,
                address(server),
                ServerStatus.SERVES,
                reply.getUptimeMillis(),
                server.getCapacityBytes(),
                server.getFreeBytes(),
                new TreeMap<>(reply.getCountersMap()),
                gauges,
                problems);
    }

    private static ServerStatus silent(String name, ClusterMap.Server server, String state, String problem) {
        return new ServerStatus(
                name,
                server.getPort() == 0 ? "" : address(server),
                state,
                0,
                server.getCapacityBytes(),
                server.getFreeBytes(),
                Map.of(),
                Map.of(),
                List.of(problem));
    }

    private static String address(ClusterMap.Server server) {
        return new ServerAddress(server.getHost(), server.getPort()).toString();
    }
}
