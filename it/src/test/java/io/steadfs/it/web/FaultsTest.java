package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.web.WebService;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.cluster.ClusterSpace;
import io.steadfs.it.Cluster;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.webui.RestClient;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What the interface says of two metadata servers and three IO servers, of which some are away. */
@TestInstance(Lifecycle.PER_CLASS)
class FaultsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int FILES = 12;
    private static final int FILE_BYTES = 10_007;
    private static final long ALL_BYTES = (long) FILES * FILE_BYTES;

    private final Path directory;
    private final Cluster cluster;
    /** The first metadata server's, which stays its own. */
    private final ServerAddress told;

    private final Users.NewUser admin;
    private WebService web;

    FaultsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        cluster = Cluster.start(directory.resolve("cluster"), 2, 3, 3, Map.of("stead.io.space.interval", "100"));
        told = cluster.local().address();
        web = startWeb();
        admin = web.first().orElseThrow();
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int i = 0; i < FILES; i++) {
                FsPath file = FsPath.parse("/files/" + i);
                try (FileWriter out = fs.create(file, CreateOptions.DEFAULT.withLayout(3, 1 << 16))) {
                    out.write(new byte[FILE_BYTES], 0, FILE_BYTES);
                }
            }
            for (int i = 0; i < FILES; i++) {
                FsPath removed = FsPath.parse("/files/removed-" + i);
                fs.create(removed, CreateOptions.DEFAULT).close();
                fs.delete(removed, false);
            }
        }
    }

    private WebService startWeb() throws IOException {
        return WebService.start(
                new SteadUri(told),
                WebServer.Options.onLoopback(0, directory.resolve("webui")),
                Configured.of("a test", ServerKeys.LOCAL, key -> Optional.empty()));
    }

    @AfterAll
    void stop() throws IOException {
        try {
            web.close();
        } finally {
            cluster.close();
        }
    }

    private RestClient login() throws IOException, InterruptedException {
        RestClient client = new RestClient(web.uri());
        assertThat(client.login(admin.name(), admin.password()).status()).isEqualTo(200);
        return client;
    }

    private static JsonNode overview(RestClient client) throws IOException, InterruptedException {
        return client.get("api/v1/overview").json();
    }

    private static List<String> subjects(JsonNode overview) {
        List<String> subjects = new ArrayList<>();
        overview.get("reasons")
                .forEach(reason -> subjects.add(reason.get("subject").asText()));
        return subjects;
    }

    /** A server that is about to end tells of less before. */
    private static boolean areBroken(JsonNode overview, String... servers) {
        return overview.get("verdict").asText().equals("broken")
                && subjects(overview).equals(List.of(servers));
    }

    private ClusterSpace knownSpace() throws IOException {
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            return ClusterSpace.of(fs.clusterMap());
        }
    }

    @Test
    void whoeverIsAwayIsNamedAndNobodyElse() throws Exception {
        RestClient client = login();
        await().atMost(SOON).until(() -> overview(client).get("usedBytes").asLong() == ALL_BYTES);
        JsonNode well = overview(client);
        assertThat(well.get("verdict").asText()).as("%s", well).isEqualTo("well");
        assertThat(well.get("ioServers").get("serving").asInt()).isEqualTo(3);
        // What a server leaves behind for the time when it is away.
        await().atMost(SOON).until(() -> knownSpace().usedBytes() == ALL_BYTES);

        cluster.local().stopServer(ServerId.io(3));
        await().atMost(SOON).until(() -> areBroken(overview(client), "io-3"));
        JsonNode without = overview(client);
        assertThat(without.get("verdict").asText()).isEqualTo("broken");
        assertThat(without.get("ioServers").get("serving").asInt()).isEqualTo(2);
        assertThat(without.get("ioServers").get("total").asInt()).isEqualTo(3);
        assertThat(without.get("usedBytes").asLong()).isEqualTo(ALL_BYTES);
        assertThat(without.get("capacityBytes").asLong())
                .isEqualTo(well.get("capacityBytes").asLong());
        JsonNode away = without.get("away").get(0);
        assertThat(away.get("server").asText()).isEqualTo("io-3");
        assertThat(away.get("usedBytes").asLong()).isPositive().isLessThan(ALL_BYTES);
        assertThat(away.get("asOf").asLong()).isPositive();
        // A client that comes now is told the same by the cluster map.
        await().atMost(SOON).until(() -> knownSpace().reached() == 2);
        assertThat(knownSpace().usedBytes()).isEqualTo(ALL_BYTES);
        assertThat(knownSpace().away().get(0).usedBytes())
                .isEqualTo(away.get("usedBytes").asLong());
        cluster.local().startServer(ServerId.io(3));
        await().atMost(SOON).until(() -> subjects(overview(client)).isEmpty());

        cluster.local().stopServer(ServerId.mds(2));
        await().atMost(SOON).until(() -> areBroken(overview(client), "mds-2"));
        JsonNode reason = overview(client).get("reasons").get(0);
        assertThat(reason.get("severity").asText()).isEqualTo("broken");
        assertThat(reason.get("text").asText())
                .startsWith("mds-2 at ")
                .contains("shard 1 is not served")
                .doesNotContain("io-");

        cluster.local().stopServer(ServerId.mds(1));
        web.close();
        web = startWeb();
        RestClient later = login();
        await().atMost(SOON).until(() -> subjects(overview(later)).equals(List.of("mds-1", "mds-2")));
        assertThat(overview(later).get("usedBytes").asLong()).isEqualTo(ALL_BYTES);
        cluster.local().startServer(ServerId.mds(1));
        cluster.local().startServer(ServerId.mds(2));
        await().atMost(SOON).until(() -> subjects(overview(later)).isEmpty());
    }

    @Test
    void anInterfaceThatNeverHeardOfItsClusterSaysSo() throws Exception {
        try (WebService lonely = WebService.start(
                SteadUri.parse("stead://127.0.0.1:1"),
                WebServer.Options.onLoopback(0, directory.resolve("lonely")),
                Configured.of("a test", ServerKeys.LOCAL, key -> Optional.empty()))) {
            RestClient client = new RestClient(lonely.uri());
            Users.NewUser first = lonely.first().orElseThrow();
            client.login(first.name(), first.password());
            JsonNode overview = overview(client);
            assertThat(subjects(overview)).containsExactly("cluster");
            assertThat(overview.get("reasons").get(0).get("text").asText()).startsWith("127.0.0.1:1 was never reached");
        }
    }

    /** What the interface asks is counted apart: it is in no rate. */
    @Test
    void lookingIsNotAmongTheRequests() throws Exception {
        RestClient client = login();
        // Clients and servers of the other tests may still ask now and then; the interface would in each such time.
        await().atMost(SOON).untilAsserted(() -> {
            Map<String, Long> before = counters(client);
            long looks = before.getOrDefault("messages.watching.STATUS", 0L);
            await().atMost(SOON).until(() -> counters(client).getOrDefault("messages.watching.STATUS", 0L) > looks + 6);
            Map<String, Long> after = counters(client);
            assertThat(after)
                    .containsKey("messages.watching.CLUSTER_MAP")
                    .containsKey("messages.watching.ACCOUNT_LEASES");
            assertThat(after.keySet())
                    .doesNotContain("messages.in.STATUS", "messages.in.ACCOUNT_LEASES", "messages.in.LIST_LEASES");
            assertThat(after.getOrDefault("messages.in.CLUSTER_MAP", 0L))
                    .isEqualTo(before.getOrDefault("messages.in.CLUSTER_MAP", 0L));
        });
    }

    private static Map<String, Long> counters(RestClient client) throws IOException, InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        for (String server : List.of("mds-1", "io-1")) {
            client.get("api/v1/servers/" + server)
                    .json()
                    .get("counters")
                    .properties()
                    .forEach(counter ->
                            sums.merge(counter.getKey(), counter.getValue().asLong(), Long::sum));
        }
        return sums;
    }
}
