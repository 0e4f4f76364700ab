package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Leases of clients that come to a bad end, or are revoked, on real servers. */
class LeasedFilesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int IO_SERVERS = 3;
    private static final int LEASE = 20;
    private static final long LEASE_MILLIS = 3_000;
    private static final int LIVE = 8;

    private final Cluster cluster;

    LeasedFilesTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(
                data,
                IO_SERVERS,
                Map.of(
                        "stead.create.protocol",
                        "unified",
                        "stead.layout.eager",
                        "true",
                        "stead.io.lease.duration",
                        Long.toString(LEASE_MILLIS),
                        "stead.io.lease.check.interval",
                        "100"));
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
    }

    private SteadClient client(String name) {
        return cluster.connect(
                Cluster.SUPERUSER,
                List.of(),
                Map.of(
                        "stead.client.name",
                        name,
                        "stead.client.lease.handles.min",
                        Integer.toString(LEASE),
                        "stead.client.lease.handles.max",
                        Integer.toString(LEASE)));
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    private static void create(SteadFs fs, String name, int width) throws IOException {
        fs.create(path(name), CreateOptions.DEFAULT.withLayout(width, 1 << 16)).close();
    }

    private JsonNode run(int exitCode, String... arguments) throws IOException {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        assertThat(command.execute(arguments)).isEqualTo(exitCode);
        return arguments[arguments.length - 1].equals("--json")
                ? new ObjectMapper().readTree(out.toString())
                : new ObjectMapper().getNodeFactory().textNode(out.toString());
    }

    private String uri() {
        return "stead://" + cluster.local().address();
    }

    private JsonNode leases() throws IOException {
        return run(0, "leases", "list", "--uri", uri(), "--json");
    }

    private Set<String> holders() throws IOException {
        Set<String> holders = new HashSet<>();
        leases().get("leases").forEach(lease -> holders.add(lease.get("holder").asText()));
        return holders;
    }

    @Test
    void aRevokedClientGoesOnWithOtherHandles() throws IOException {
        try (SteadClient fs = client("revoked")) {
            AtomicLong files = new AtomicLong();
            // A server that was busy just then was passed over.
            await().atMost(SOON).until(() -> {
                create(fs, "/before-" + files.incrementAndGet(), IO_SERVERS);
                return leases().get("leases").size() == IO_SERVERS;
            });
            JsonNode leases = leases();
            assertThat(leases.get("handles").asLong()).isEqualTo(IO_SERVERS * LEASE);
            assertThat(leases.get("unused").asLong())
                    .isBetween(IO_SERVERS * (LEASE - files.get()), (long) IO_SERVERS * LEASE);
            leases.get("leases")
                    .forEach(lease -> assertThat(lease.get("name").asText()).isEqualTo("revoked"));
            String holder = holders().iterator().next();
            // Until the shard has told of the files.
            await().atMost(SOON)
                    .until(() -> shown().get("pooled").asLong()
                            == leases().get("unused").asLong());
            JsonNode shown = shown();
            assertThat(shown.get("suspect").asLong()).isZero();
            assertThat(shown.get("servers")).hasSize(IO_SERVERS).allSatisfy(server -> {
                JsonNode account = server.get("accounts").get(0);
                assertThat(account.get("holder").asText()).isEqualTo(holder);
                assertThat(account.get("pooled").asLong()
                                + account.get("leasedInUse").asLong())
                        .isEqualTo(LEASE);
                assertThat(server.get("bound").asLong()).isEqualTo(1 << 18);
            });
            assertThat(run(0, "leases", "revoke", "--uri", uri(), "--holder", holder)
                            .asText())
                    .startsWith(IO_SERVERS + " leases of holder " + holder);
            assertThat(run(0, "leases", "validate", "--uri", uri()).asText()).contains("0 now; pooled 0");
            await().atMost(SOON).until(() -> leases().get("leases").isEmpty());
            create(fs, "/after", IO_SERVERS);
            assertThat(leases().get("handles").asLong()).isPositive();
            assertThat(fs.listSorted(path("/"))).hasSize((int) files.get() + 1);
        }
    }

    private JsonNode shown() throws IOException {
        return run(0, "leases", "show", "--uri", uri(), "--json");
    }

    /** Its lease is renewed all the time, so it is the shard's word that tells. */
    @Test
    void handlesOfFilesThatNobodyWritesAreInUseSoon() throws IOException {
        try (SteadClient fs = client("empty")) {
            for (int i = 0; i < LEASE / 4; i++) {
                create(fs, "/empty-" + i, IO_SERVERS);
            }
            await().atMost(SOON).untilAsserted(() -> {
                long inUse = 0;
                for (JsonNode server : shown().get("servers")) {
                    // A server that was busy when the client leased was passed over, and has no account.
                    for (JsonNode account : server.get("accounts")) {
                        inUse += account.get("leasedInUse").asLong();
                    }
                }
                assertThat(inUse).isEqualTo(LEASE / 4 * IO_SERVERS);
            });
        }
    }

    @Test
    void aClientThatWorksOnKeepsItsLeases() throws IOException {
        try (SteadClient fs = client("alive")) {
            create(fs, "/first", 1);
            JsonNode first = leases().get("leases").get(0);
            // It was renewed: by more than it was granted for, by more than one renewal gives that comes in time.
            await().atMost(SOON)
                    .until(() -> endOf(first) > first.get("grantedMillis").asLong() + 3 * LEASE_MILLIS / 2);
            create(fs, "/second", 1);
        }
        await().atMost(SOON).until(() -> leases().get("leases").isEmpty());
    }

    /** When a lease ends without a further renewal at the earliest, in milliseconds since 1970; fails if it has ended. */
    private long endOf(JsonNode granted) throws IOException {
        long asked = System.currentTimeMillis();
        for (JsonNode lease : leases().get("leases")) {
            if (lease.get("lease").equals(granted.get("lease"))) {
                return asked + lease.get("leftMillis").asLong();
            }
        }
        throw new AssertionError("it has ended: " + granted);
    }

    /** Each of them has taken its handles at every IO server, and is never heard of again. */
    @Test
    void leasesOfAThousandHoldersThatDieEndWhileOthersCreate() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong created = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(LIVE);
        try {
            List<Future<?>> live = new ArrayList<>();
            for (int i = 0; i < LIVE; i++) {
                int number = i;
                live.add(threads.submit(() -> createUntil(over, "/live-" + number, created)));
            }
            long holders = 1_000;
            takeAndDie(holders);
            long dead = of(leases(), "dead");
            assertThat(dead)
                    .as("leases of the dead, one at each server at most")
                    .isBetween(1L, holders * IO_SERVERS);
            System.out.printf(
                    "%d holders died with %d leases of %d handles; at most %d are possible%n",
                    holders, dead, dead * LEASE, holders * LEASE * IO_SERVERS);
            await().atMost(SOON).until(() -> of(leases(), "dead") == 0);
            long before = created.get();
            await().atMost(SOON).until(() -> created.get() > before + 100);
            over.set(true);
            for (Future<?> each : live) {
                each.get();
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
        await().atMost(SOON).until(() -> leases().get("leases").isEmpty());
        assertThat(cluster.gauges(List.of("leases"))).isEmpty();
    }

    private static long of(JsonNode leases, String name) {
        long count = 0;
        for (JsonNode lease : leases.get("leases")) {
            count += lease.get("name").asText().equals(name) ? 1 : 0;
        }
        return count;
    }

    private Void createUntil(AtomicBoolean over, String folder, AtomicLong created) throws IOException {
        try (SteadClient fs = client("live")) {
            for (int i = 0; !over.get(); i++) {
                create(fs, folder + "/" + i, IO_SERVERS);
                created.incrementAndGet();
            }
        }
        return null;
    }

    private void takeAndDie(long holders) throws IOException {
        List<CompletableFuture<Reply>> grants = new ArrayList<>();
        try (Connections connections = Connections.ofOperator();
                Connection connection =
                        connections.open(new SteadUri(cluster.local().address()))) {
            for (long holder = 1; holder <= holders; holder++) {
                LeaseHandlesRequest request = LeaseHandlesRequest.newBuilder()
                        .setHolder(holder)
                        .setCount(LEASE)
                        .setName("dead")
                        .build();
                for (int server = 1; server <= IO_SERVERS; server++) {
                    grants.add(connection
                            .transport()
                            .send(
                                    cluster.port("io-" + server),
                                    new Request(
                                            Kind.LEASE_HANDLES,
                                            RequestHeader.newBuilder()
                                                    .setKind(Kind.LEASE_HANDLES.number())
                                                    .build(),
                                            request,
                                            Payload.EMPTY),
                                    30_000));
                }
                if (holder % 50 == 0) {
                    grants.forEach(each -> assertThat(each.join().isOk()).isTrue());
                    grants.clear();
                }
            }
        }
    }
}
