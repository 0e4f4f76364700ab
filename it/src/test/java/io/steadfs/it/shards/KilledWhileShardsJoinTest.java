package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.config.Settings;
import io.steadfs.it.Signals;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private static final Map<String, String> SETTINGS = Map.of(
            "stead.session.duration", "20000",
            "stead.io.lease.duration", "2000",
            "stead.io.lease.check.interval", "100",
            // A server that stands still, or starts anew, stays in the membership.
            "stead.zookeeper.session.timeout", "60000",
            "stead.client.operation.timeout", "300000");

    private static List<SteadClient> connect(ProcessCluster cluster, int count) {
        List<ServerAddress> servers = List.of(cluster.addressOf("mds-1"), cluster.addressOf("mds-2"));
        List<SteadClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(SteadClient.connect(
                    Settings.of(SETTINGS),
                    servers,
                    Caller.newBuilder().setUser(System.getProperty("user.name")).build()));
        }
        return clients;
    }

    private static void kill(ProcessCluster cluster, String server) throws IOException {
        cluster.killServer(server);
        cluster.startServer(server);
    }

    private static void awaitWaits(AdminShards admin) {
        await("only " + STANDS_STILL + " is waited for")
                .atMost(SOON)
                .until(() -> admin.waitsFor().equals(WAITS));
    }

    @Test
    void anAdditionGoesOnAndNothingIsLost(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        ProcessCluster.Builder builder =
                ProcessCluster.in(directory).mds(2).shards(2).ioServers(2);
        SETTINGS.forEach(builder::set);
        try (ProcessCluster cluster = builder.start()) {
            AdminShards admin = new AdminShards(cluster.zooKeeper(), directory);
            List<SteadClient> clients = connect(cluster, 3);
            WorkingClients working = new WorkingClients(clients);
            working.awaitSteps(20);

            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "STOP");
            admin.add(3, "--count", "2", "--wait", "0");
            awaitWaits(admin);
            assertThat(admin.serving()).hasSize(2);
            for (String server : List.of("mds-2", "mds-1", "io-2")) {
                kill(cluster, server);
                awaitWaits(admin);
            }
            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "CONT");
            await("the shards serve").atMost(SOON).until(() -> admin.serving().size() == 4);
            working.awaitSteps(20);

            Signals.send(cluster.pidOf(STANDS_STILL).orElseThrow(), "STOP");
            admin.add(3, "--wait", "0");
            awaitWaits(admin);
            kill(cluster, STANDS_STILL);
            await("the shard serves").atMost(SOON).until(() -> admin.serving().size() == 5);
            kill(cluster, "mds-1");
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
