package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.SteadClient;
import io.steadfs.it.Cluster;
import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards move there and back while clients work: no operation fails, nothing is lost, and no session ends. */
@Timeout(300)
class MoveShardTest {
    private static final int CLIENTS = 4;
    private static final Duration SOON = Duration.ofMinutes(1);

    /** Sessions and leases end often, so that what needs all shards happens while one is stopped. */
    private static final Map<String, String> SETTINGS = Map.of(
            "stead.session.duration", "5000",
            "stead.io.lease.duration", "2000",
            "stead.io.lease.check.interval", "100");

    private static void awaitStores(Path directory, String... stores) {
        await("what moved away is removed")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(StoresOf.cluster(directory)).containsExactly(stores));
    }

    @Test
    void shardsMoveWhileClientsWork(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        try (Cluster cluster = Cluster.start(directory, 2, 3, 2, SETTINGS)) {
            AdminShards admin = new AdminShards(cluster.local().zooKeeper(), directory);
            List<SteadClient> clients = WorkingClients.connect(cluster, CLIENTS);
            WorkingClients working = new WorkingClients(clients);
            working.awaitSteps(20);
            assertThat(admin.serving()).containsExactly("mds-1", "mds-2", "mds-1");

            admin.move(0, 1, 1);
            assertThat(admin.serving()).containsExactly("mds-1", "mds-1", "mds-1");
            awaitStores(directory, "mds-1/shard-0", "mds-1/shard-1", "mds-1/shard-2");
            working.awaitSteps(20);

            admin.move(0, 1, 2);
            working.awaitSteps(20);
            admin.move(0, 0, 2);
            assertThat(admin.serving()).containsExactly("mds-2", "mds-2", "mds-1");
            awaitStores(directory, "mds-1/shard-2", "mds-2/shard-0", "mds-2/shard-1");
            working.awaitSteps(20);

            // To a new server, and a shard that was added.
            cluster.local().startServer(ServerId.mds(3));
            admin.add("--mds", "1");
            working.awaitSteps(20);
            admin.move(0, 3, 3);
            admin.move(0, 2, 3);
            assertThat(admin.serving()).containsExactly("mds-2", "mds-2", "mds-3", "mds-3");
            working.awaitSteps(40);

            working.finish();
            working.requireAll(clients.get(0));
            for (SteadClient client : clients) {
                client.close();
            }
            admin.requireClean(cluster.local().uri().toString());

            cluster.stop();
            cluster.startAgain();
            admin = new AdminShards(cluster.local().zooKeeper(), directory);
            assertThat(admin.serving()).containsExactly("mds-2", "mds-2", "mds-3", "mds-3");
            try (SteadClient again = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of())) {
                working.requireAll(again);
            }
            admin.requireClean(cluster.local().uri().toString());
            assertThat(StoresOf.cluster(directory))
                    .containsExactly("mds-2/shard-0", "mds-2/shard-1", "mds-3/shard-2", "mds-3/shard-3");
            System.out.println(
                    working.files() + " files were acknowledged while shards moved 5 times, and all are whole");
        }
    }

    @Test
    void whatCannotMoveIsRefused(@TempDir Path data) throws IOException {
        Path directory = data.resolve("cluster");
        try (Cluster cluster = Cluster.start(directory, 2, 2, 1, Map.of())) {
            AdminShards admin = new AdminShards(cluster.local().zooKeeper(), directory);
            assertThat(admin.move(1, 7, 1)).contains("there is no shard 7: the file system has 2 shard(s)");
            assertThat(admin.move(1, 0, 9)).contains("mds-9 has never started");
            assertThat(admin.move(1, 0, 1)).contains("shard 0 is at mds-1 already");
            assertThat(admin.move(2, 0, 0)).contains("--to 0: server number 0 is not in 1..32767");
            assertThat(admin.move(2, 0, 2, "--wait", "-1")).contains("--wait -1 is below 0");
            assertThat(admin.serving()).containsExactly("mds-1", "mds-2");
            assertThat(admin.areSettled()).isTrue();
            admin.move(0, 0, 2);
            assertThat(admin.serving()).containsExactly("mds-2", "mds-2");
        }
    }

    private static List<String> problems(Cluster cluster, String server) throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(cluster.port("mds-2")))) {
            return StatusOf.server(connection.transport(), server, cluster.port(server))
                    .getProblemsList();
        }
    }

    /** The move goes on when the host is back, and a cancelled one leaves nothing. */
    @Test
    void aMoveWaitsForItsHost(@TempDir Path data) throws IOException {
        Path directory = data.resolve("cluster");
        try (Cluster cluster = Cluster.start(directory, 2, 2, 1, Map.of())) {
            AdminShards admin = new AdminShards(cluster.local().zooKeeper(), directory);
            cluster.local().stopServer(ServerId.mds(1));
            admin.move(3, 0, 2, "--wait", "0");
            assertThat(admin.waitsFor()).containsExactly("shard 0 moves from mds-1 to mds-2: mds-1 is not alive");
            await("mds-2 says what it waits for")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(problems(cluster, "mds-2"))
                            .anySatisfy(line -> assertThat(line)
                                    .startsWith("shard 0 moves from mds-1 to mds-2: ")
                                    .contains("UNREACHABLE")));
            admin.move(0, 0, 1);
            awaitStores(directory, "mds-1/shard-0", "mds-2/shard-1");
            assertThat(problems(cluster, "mds-2")).isEmpty();

            admin.move(3, 0, 2, "--wait", "0");
            cluster.local().startServer(ServerId.mds(1));
            await("the shard has moved").atMost(SOON).until(admin::areSettled);
            assertThat(admin.serving()).containsExactly("mds-2", "mds-2");
            awaitStores(directory, "mds-2/shard-0", "mds-2/shard-1");
        }
    }
}
