package io.steadfs.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.ClusterSpace;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClusterStatusTest {
    private static final long MIB = 1 << 20;

    private final Map<Integer, StatusReply> answers = new HashMap<>();
    private final ClusterMap.Builder map = ClusterMap.newBuilder().setShardCount(1);

    private final Transport transport = new Transport() {
        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            StatusReply answer = answers.get(server.port());
            return CompletableFuture.completedFuture(
                    answer == null
                            ? Reply.refused(request.kind(), FsError.UNREACHABLE, "connection refused")
                            : Reply.ok(answer));
        }

        @Override
        public void close() {}
    };

    private static ClusterMap.Server.Builder server(ClusterMap.Role role, int id, int port, boolean alive) {
        return ClusterMap.Server.newBuilder()
                .setRole(role)
                .setId(id)
                .setHost(port == 0 ? "" : "host")
                .setPort(port)
                .setAlive(alive);
    }

    private static StatusReply.Builder answer(ClusterMap.Role role, int id) {
        return StatusReply.newBuilder().setRole(role).setId(id);
    }

    private ClusterStatus status() {
        List<ServerStatus> servers = map.getServersList().stream()
                .map(server -> ServerQuestion.begin(transport, map.build(), server, 10_000)
                        .await())
                .toList();
        return ClusterStatus.of(map.build(), servers);
    }

    @Test
    void aHealthyClusterHasNoProblem() {
        map.addServers(server(ClusterMap.Role.MDS, 1, 1, true))
                .addServers(server(ClusterMap.Role.IO, 1, 2, true))
                .addShards(ClusterMap.Shard.newBuilder().setNumber(0).setServer(1));
        answers.put(
                1,
                answer(ClusterMap.Role.MDS, 1)
                        .putGauges("sessions.open", 2)
                        .putGauges("queue.length", 9)
                        .build());
        answers.put(
                2,
                answer(ClusterMap.Role.IO, 1)
                        .putGauges("space.capacity.bytes", 100 * MIB)
                        .putGauges("space.usable.bytes", 50 * MIB)
                        .build());
        assertThat(status().problems()).isEmpty();
        assertThat(status().isWell()).isTrue();
        assertThat(status().pending()).containsOnly(Map.entry("sessions.open", 2L));
    }

    @Test
    void eachProblemIsOneLineThatNamesTheServer() {
        map.setShardCount(4)
                .addServers(server(ClusterMap.Role.MDS, 1, 1, true))
                .addServers(server(ClusterMap.Role.MDS, 2, 2, true))
                .addServers(server(ClusterMap.Role.MDS, 3, 3, false))
                .addServers(server(ClusterMap.Role.IO, 1, 11, false))
                .addServers(server(ClusterMap.Role.IO, 2, 0, false))
                .addServers(server(ClusterMap.Role.IO, 3, 13, true))
                .addServers(server(ClusterMap.Role.IO, 4, 14, true))
                .addServers(server(ClusterMap.Role.IO, 5, 11, true));
        for (int shard = 0; shard < 3; shard++) {
            map.addShards(ClusterMap.Shard.newBuilder().setNumber(shard).setServer(shard + 1));
        }
        answers.put(
                1,
                answer(ClusterMap.Role.MDS, 1)
                        .addProblems("shard 0 stopped: its log could not be written")
                        .build());
        answers.put(
                11,
                answer(ClusterMap.Role.IO, 1).putGauges("space.usable.bytes", 1).build());
        answers.put(
                13,
                answer(ClusterMap.Role.IO, 3)
                        .putGauges("space.capacity.bytes", 1000 * MIB)
                        .putGauges("space.usable.bytes", 19 * MIB)
                        .build());
        answers.put(
                14,
                answer(ClusterMap.Role.IO, 4)
                        .putGauges("space.capacity.bytes", 1000 * MIB)
                        .putGauges("space.usable.bytes", 0)
                        .build());
        assertThat(status().problems())
                .containsExactly(
                        "mds-2 at host:2 does not answer (UNREACHABLE), but the cluster map says alive; shard 1 is not"
                                + " served, and names in it wait",
                        "mds-3 at host:3 does not run: neither ZooKeeper nor we hear of it; shard 2 is not served, and"
                                + " names in it wait",
                        "io-2 has a data directory, but never served",
                        "io-5 does not run: at host:11 answers io-1",
                        "shard 3 has no host: no metadata server ever served it",
                        "mds-1: shard 0 stopped: its log could not be written",
                        "io-1 at host:11 answers, but the cluster map says not alive: it has lost ZooKeeper",
                        "io-3: disk nearly full: 19 MiB of 1000 MiB may be written",
                        "io-4: disk full: nothing of 1000 MiB may be written");
    }

    /** What all servers tell of ZooKeeper is one fault, and nobody's in particular. */
    @Test
    void anOutageOfZooKeeperIsToldOnce() {
        map.addServers(server(ClusterMap.Role.MDS, 1, 1, true))
                .addServers(server(ClusterMap.Role.IO, 1, 2, false))
                .addShards(ClusterMap.Shard.newBuilder().setNumber(0).setServer(1));
        String lost = "ZooKeeper at z:1 does not answer; the cluster map of epoch 7 stands";
        answers.put(
                1,
                answer(ClusterMap.Role.MDS, 1)
                        .addProblems(lost)
                        .setZookeeperProblem(lost)
                        .build());
        answers.put(
                2,
                answer(ClusterMap.Role.IO, 1)
                        .putGauges("space.capacity.bytes", 100 * MIB)
                        .putGauges("space.usable.bytes", 50 * MIB)
                        .addProblems(lost)
                        .setZookeeperProblem(lost)
                        .build());
        assertThat(status().faults())
                .containsExactly(
                        new Fault(Fault.ZOOKEEPER, false, lost + " (told by mds-1, io-1)", List.of("mds-1", "io-1")));
        assertThat(status().servers().get(0).problems()).containsExactly("mds-1: " + lost);
    }

    @Test
    void totalsKeepWhatCannotBeReached() {
        map.addServers(server(ClusterMap.Role.IO, 1, 1, true).setDisk("a"))
                .addServers(server(ClusterMap.Role.IO, 2, 2, true).setDisk("a"))
                .addServers(server(ClusterMap.Role.IO, 3, 3, false)
                        .setCapacityBytes(500 * MIB)
                        .setFreeBytes(300 * MIB)
                        .setUsedBytes(120 * MIB)
                        .setFiguresMillis(1234));
        for (int id = 1; id <= 2; id++) {
            answers.put(
                    id,
                    answer(ClusterMap.Role.IO, id)
                            .putGauges("space.capacity.bytes", 1000 * MIB)
                            .putGauges("space.usable.bytes", (700 + id) * MIB)
                            .putGauges("space.stored.bytes", 10L * id * MIB)
                            .build());
        }
        ClusterSpace space = status().space();
        assertThat(space.servers()).isEqualTo(3);
        assertThat(space.reached()).isEqualTo(2);
        // Two servers share one disk.
        assertThat(space.capacityBytes()).isEqualTo(1500 * MIB);
        assertThat(space.freeBytes()).isEqualTo(701 * MIB);
        assertThat(space.usedBytes()).isEqualTo(150 * MIB);
        assertThat(space.awayFreeBytes()).isEqualTo(300 * MIB);
        assertThat(space.otherBytes()).isEqualTo((1500 - 701 - 150 - 300) * MIB);
        assertThat(space.away().get(0).server()).isEqualTo("io-3");
        assertThat(space.away().get(0).asOfMillis()).isEqualTo(1234);
    }
}
