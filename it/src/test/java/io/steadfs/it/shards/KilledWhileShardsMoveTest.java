package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.it.Signals;
import io.steadfs.membership.ShardPlace;
import io.steadfs.wire.proto.ListStoreFilesReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed while shards move, at each step. The server to which a shard moves stands still, so that the test has
 * time. It hosts no shard then, so that clients go on.
 */
@Timeout(900)
class KilledWhileShardsMoveTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private static void signal(ProcessCluster cluster, String server, String signal) throws Exception {
        Signals.send(cluster.pidOf(server).orElseThrow(), signal);
    }

    private static void awaitServing(AdminShards admin, String... servers) {
        await("the shards serve at " + List.of(servers)).atMost(SOON).untilAsserted(() -> {
            assertThat(admin.serving()).containsExactly(servers);
            assertThat(admin.areSettled()).isTrue();
        });
    }

    private static void awaitStores(Path directory, String... stores) {
        await("the stores " + List.of(stores))
                .atMost(SOON)
                .untilAsserted(() -> assertThat(StoresOf.cluster(directory)).containsExactly(stores));
    }

    @Test
    void aMoveGoesOnAndNothingIsLost(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        ProcessCluster.Builder builder =
                KilledServers.in(directory).mds(3).shards(3).ioServers(2);
        try (ProcessCluster cluster = builder.start();
                StandIn standIn = new StandIn(cluster.zooKeeper(), directory)) {
            AdminShards admin = new AdminShards(cluster.zooKeeper(), directory);
            List<SteadClient> clients = KilledServers.connect(cluster, 3);
            WorkingClients working = new WorkingClients(clients);
            working.awaitSteps(20);
            admin.move(0, 2, 2);
            awaitStores(directory, "mds-1/shard-0", "mds-2/shard-1", "mds-2/shard-2");

            // While it is copied, and serves: the host is killed, then the move is cancelled.
            signal(cluster, "mds-3", "STOP");
            admin.move(3, 0, 3, "--wait", "0");
            assertThat(admin.waitsFor()).containsExactly("mds-3 copies shard 0 from mds-1");
            ShardPlace copied = standIn.begin(0, 3);
            assertThat(standIn.list(0, copied, cluster.addressOf("mds-1"), false)
                            .getFilesList())
                    .extracting(ListStoreFilesReply.File::getName)
                    .contains("CURRENT");
            KilledServers.kill(cluster, "mds-1");
            working.awaitSteps(20);
            admin.move(0, 0, 1);
            signal(cluster, "mds-3", "CONT");
            awaitStores(directory, "mds-1/shard-0", "mds-2/shard-1", "mds-2/shard-2");
            working.awaitSteps(20);

            // Given and not taken: the host is killed, and then the other one.
            signal(cluster, "mds-3", "STOP");
            ShardPlace given = standIn.begin(0, 3);
            assertThatThrownBy(() -> standIn.list(0, copied, cluster.addressOf("mds-1"), true))
                    .as("a late message of the move that was cancelled")
                    .hasMessageContaining("is not in move");
            ListStoreFilesReply last = standIn.list(0, given, cluster.addressOf("mds-1"), true);
            assertThat(admin.stopped()).containsExactly(0);
            KilledServers.kill(cluster, "mds-1");
            assertThat(admin.stopped()).containsExactly(0);
            assertThat(standIn.list(0, given, cluster.addressOf("mds-1"), true)).isEqualTo(last);
            KilledServers.kill(cluster, "mds-3");
            awaitServing(admin, "mds-3", "mds-2", "mds-2");
            awaitStores(directory, "mds-2/shard-1", "mds-2/shard-2", "mds-3/shard-0");
            working.awaitSteps(20);

            // Given, and then cancelled.
            signal(cluster, "mds-1", "STOP");
            ShardPlace second = standIn.begin(0, 1);
            standIn.list(0, second, cluster.addressOf("mds-3"), true);
            assertThat(admin.stopped()).containsExactly(0);
            admin.move(0, 0, 3);
            working.awaitSteps(20);
            signal(cluster, "mds-1", "CONT");
            awaitServing(admin, "mds-3", "mds-2", "mds-2");
            awaitStores(directory, "mds-2/shard-1", "mds-2/shard-2", "mds-3/shard-0");

            // At any moment.
            int host = 3;
            for (int round = 0; round < 4; round++) {
                int target = host == 3 ? 1 : 3;
                admin.move(3, 0, target, "--wait", "0");
                KilledServers.kill(cluster, "mds-" + (round % 2 == 0 ? target : host));
                KilledServers.kill(cluster, "mds-" + (round % 2 == 0 ? host : target));
                awaitServing(admin, "mds-" + target, "mds-2", "mds-2");
                working.awaitSteps(10);
                host = target;
            }
            awaitStores(directory, "mds-2/shard-1", "mds-2/shard-2", "mds-3/shard-0");

            working.finish();
            working.requireAll(clients.get(0));
            for (SteadClient client : clients) {
                client.close();
            }
            admin.requireClean(cluster.uri().toString());
            System.out.println(working.files() + " files were acknowledged over 11 kills and 6 moves");
        }
    }
}
