package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.it.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed while shards join, at each step. An IO server that stands still is alive and counts no new shard: so
 * the shards cannot serve, and the test has time.
 */
@Timeout(600)
class KilledWhileShardsJoinTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String STANDS_STILL = "io-1";
    private static final List<String> WAITS = List.of("io-1 does not count the new shards yet");

    private static void awaitWaits(AdminShards admin) {
        await("only " + STANDS_STILL + " is waited for")
                .atMost(SOON)
                .until(() -> admin.waitsFor().equals(WAITS));
    }

    @Test
    void anAdditionGoesOnAndNothingIsLost(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        ProcessCluster.Builder builder =
                KilledServers.in(directory).mds(2).shards(2).ioServers(2);
        try (ProcessCluster cluster = builder.start()) {
            AdminShards admin = new AdminShards(cluster.zooKeeper(), directory);
            List<SteadClient> clients = KilledServers.connect(cluster, 3);
            WorkingClients working = new WorkingClients(clients);
            working.awaitSteps(20);

            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "STOP");
            admin.add(3, "--count", "2", "--wait", "0");
            awaitWaits(admin);
            assertThat(admin.serving()).hasSize(2);
            for (String server : List.of("mds-2", "mds-1", "io-2")) {
                KilledServers.kill(cluster, server);
                awaitWaits(admin);
            }
            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "CONT");
            await("the shards serve").atMost(SOON).until(() -> admin.serving().size() == 4);
            working.awaitSteps(20);

            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "STOP");
            admin.add(3, "--wait", "0");
            awaitWaits(admin);
            KilledServers.kill(cluster, STANDS_STILL);
            await("the shard serves").atMost(SOON).until(() -> admin.serving().size() == 5);
            KilledServers.kill(cluster, "mds-1");
            working.awaitSteps(40);

            working.finish();
            working.requireAll(clients.get(0));
            for (SteadClient client : clients) {
                client.close();
            }
            admin.requireClean(cluster.uri().toString());
            System.out.println(working.files() + " files were acknowledged over 5 kills and 3 new shards");
        }
    }
}
