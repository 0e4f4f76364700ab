package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.it.Cluster;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards are added while clients work: nothing is lost, no session ends, and what is new comes to the new shards. */
@Timeout(300)
class AddShardsTest {
    private static final int CLIENTS = 4;

    /** Sessions and leases end often, so that what needs all shards happens in each step. */
    private static final Map<String, String> SETTINGS = Map.of(
            "stead.session.duration", "5000",
            "stead.io.lease.duration", "2000",
            "stead.io.lease.check.interval", "100",
            "stead.create.protocol", "leased");

    private static void close(List<SteadClient> clients) throws IOException {
        for (SteadClient client : clients) {
            client.close();
        }
    }

    /** The shards to which new directories come. */
    private static Set<Integer> shardsOfNewDirectories(SteadFs fs, String prefix) throws IOException {
        Set<Integer> shards = new TreeSet<>();
        for (int i = 0; i < 64; i++) {
            FsPath directory = FsPath.parse("/" + prefix + "-" + i);
            fs.mkdirs(directory, 0755, true, false);
            shards.add(fs.stat(directory).handle().shard());
        }
        return shards;
    }

    private static void requireSessionsOn(Cluster cluster, int shard) throws IOException {
        List<SteadClient> more = WorkingClients.connect(cluster, 96);
        for (int i = 0; i < more.size(); i++) {
            more.get(i).mkdirs(FsPath.parse("/sessions/" + shard + "/" + i), 0755, true, false);
        }
        assertThat(cluster.gauges(List.of("shard." + shard + ".sessions.open")))
                .as("some of 96 new sessions are at home on shard %d", shard)
                .isNotEmpty();
        close(more);
    }

    @Test
    void whatIsNewComesToTheNewShardsAndAllElseStays(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        try (Cluster cluster = Cluster.start(directory, 1, 1, 2, SETTINGS)) {
            AdminShards admin = new AdminShards(cluster.local().zooKeeper(), directory);
            List<SteadClient> clients = WorkingClients.connect(cluster, CLIENTS);
            SteadFs looking = clients.get(0);
            WorkingClients working = new WorkingClients(clients);
            working.awaitSteps(20);
            assertThat(shardsOfNewDirectories(looking, "one")).containsExactly(0);

            admin.add();
            assertThat(admin.serving()).containsExactly("mds-1", "mds-1");
            working.awaitSteps(20);
            assertThat(shardsOfNewDirectories(looking, "two")).containsExactly(0, 1);
            requireSessionsOn(cluster, 1);

            cluster.local().startServer(ServerId.mds(2));
            working.awaitSteps(20);
            admin.add("--count", "2", "--mds", "2");
            assertThat(admin.serving()).containsExactly("mds-1", "mds-1", "mds-2", "mds-2");
            working.awaitSteps(40);
            assertThat(shardsOfNewDirectories(looking, "four")).containsExactly(0, 1, 2, 3);
            requireSessionsOn(cluster, 2);

            working.finish();
            working.requireAll(looking);
            close(clients);
            admin.requireClean(cluster.local().uri().toString());

            cluster.stop();
            cluster.startAgain();
            try (SteadClient again = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of())) {
                working.requireAll(again);
                assertThat(shardsOfNewDirectories(again, "again")).containsExactly(0, 1, 2, 3);
            }
            admin = new AdminShards(cluster.local().zooKeeper(), directory);
            admin.requireClean(cluster.local().uri().toString());
            System.out.println(
                    working.files() + " files were acknowledged while 3 shards were added, and all are whole");
        }
    }

    @Test
    void whatCannotBeIsRefused(@TempDir Path data) throws Exception {
        Path directory = data.resolve("cluster");
        try (Cluster cluster = Cluster.start(directory, 1, 1, 1, Map.of())) {
            AdminShards admin = new AdminShards(cluster.local().zooKeeper(), directory);
            assertThat(admin.refusal("--mds", "7")).contains("mds-7 is not alive; alive are [mds-1]");
            assertThat(admin.refusal("--count", "256")).contains("the file system has 1 shards, and 256 at most");
            assertThat(admin.serving()).containsExactly("mds-1");
            admin.add();
            assertThat(admin.serving()).containsExactly("mds-1", "mds-1");
        }
    }
}
