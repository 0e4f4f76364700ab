package io.steadfs.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.admin.StatusOf;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.web.WebService;
import io.steadfs.client.SteadClient;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import io.steadfs.webui.RestClient;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import io.steadfs.wire.proto.StatusReply;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every number that STATUS, {@code /metrics}, the REST interface and {@code stead status} show, beside what it must be: a
 * cluster is brought into a known state, and each number has a row here. A number without a row fails the test.
 */
@TestInstance(Lifecycle.PER_CLASS)
class NumbersTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern OF_SHARD = Pattern.compile("shard\\.[0-9]+\\.(.+)");
    private static final int IO_SERVERS = 3;
    private static final int SHARDS = 3;
    private static final int FILES = 10;
    private static final int SMALL_BYTES = 1_003;
    private static final int LARGE_BYTES = 200_003;
    private static final int OPEN_BYTES = 5_001;
    /** Files of one column and small, two of three columns and large, and one that is being written. */
    private static final long STORED = (long) FILES * SMALL_BYTES + 2L * LARGE_BYTES + OPEN_BYTES;

    private static final int MISSED = 5;
    private static final int READ_BYTES = 700;

    private final Path directory;
    private final Cluster cluster;
    private final SteadClient client;
    private final Map<String, String> urls;
    private final long beganNanos = System.nanoTime();
    private final List<Row> rows = new ArrayList<>();
    private final FileWriter open;
    private String missing = "";

    /** What a number is compared with. */
    interface Check {
        void of(Reading now, String name);
    }

    private record Row(Pattern name, Check check) {}

    NumbersTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        cluster = Cluster.start(directory.resolve("cluster"), 2, SHARDS, IO_SERVERS, Map.of());
        urls = cluster.local().metricsUrls();
        client = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of());
        open = client.create(FsPath.parse("/open"), CreateOptions.DEFAULT.withLayout(1, 1 << 16));
    }

    @BeforeAll
    void work() throws IOException {
        client.mkdirs(FsPath.parse("/files"), 0755, true, true);
        for (int i = 0; i < FILES; i++) {
            write("/files/small-" + i, SMALL_BYTES, 1);
        }
        write("/files/large-1", LARGE_BYTES, 3);
        write("/files/large-2", LARGE_BYTES, 3);
        write("/files/removed", LARGE_BYTES, 3);
        client.delete(FsPath.parse("/files/removed"), false);
        open.write(new byte[OPEN_BYTES], 0, OPEN_BYTES);
        open.hsync();
        try (FileReader reader = client.open(FsPath.parse("/files/small-3"))) {
            assertThat(reader.read(0, ByteBuffer.allocate(READ_BYTES))).isPositive();
        }
        for (int i = 0; i < MISSED; i++) {
            assertThatThrownBy(() -> client.stat(FsPath.parse("/files/none")))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> missing = e.error().name());
        }
        describe();
    }

    private void write(String name, int bytes, int width) throws IOException {
        try (FileWriter out = client.create(FsPath.parse(name), CreateOptions.DEFAULT.withLayout(width, 1 << 16))) {
            out.write(new byte[bytes], 0, bytes);
        }
    }

    @AfterAll
    void stop() throws IOException {
        open.close();
        client.close();
        cluster.close();
    }

    /** Everything that servers tell at one time, and what the client counted. */
    private record Reading(Map<String, StatusReply> statuses, Map<String, Long> client) {
        /** Over all servers; shards' own numbers are not added to their sums. */
        long sum(String name) {
            return statuses.values().stream()
                    .mapToLong(status -> status.getCountersOrDefault(name, status.getGaugesOrDefault(name, 0)))
                    .sum();
        }

        long sumOf(String beginning) {
            Set<String> names = new HashSet<>();
            statuses.values().forEach(status -> {
                names.addAll(status.getCountersMap().keySet());
                names.addAll(status.getGaugesMap().keySet());
            });
            return names.stream()
                    .filter(name -> name.startsWith(beginning))
                    .mapToLong(this::sum)
                    .sum();
        }

        long ofClient(String name) {
            return client.getOrDefault(name, 0L);
        }

        List<Long> each(String name) {
            return statuses.values().stream()
                    .filter(status -> status.containsCounters(name) || status.containsGauges(name))
                    .map(status -> status.getCountersOrDefault(name, status.getGaugesOrDefault(name, 0)))
                    .toList();
        }
    }

    private Reading read() throws IOException {
        Map<String, StatusReply> statuses = new TreeMap<>();
        Map<String, Long> counted = client.async().counters();
        try (Connections connections = Connections.ofWatcher();
                Connection connection =
                        connections.open(new SteadUri(cluster.local().address()))) {
            for (var port : cluster.ports().entrySet()) {
                statuses.put(port.getKey(), StatusOf.server(connection.transport(), port.getKey(), port.getValue()));
            }
        }
        return new Reading(statuses, counted);
    }

    private void row(String name, Check check) {
        rows.add(new Row(Pattern.compile(name), check));
    }

    /** The sum over all servers is this. */
    private void sum(String name, long right) {
        row(
                Pattern.quote(name),
                (now, what) -> assertThat(now.sum(what)).as(what).isEqualTo(right));
    }

    private void sumBetween(String name, long least, long most) {
        row(name, (now, what) -> assertThat(now.sum(what)).as(what).isBetween(least, most));
    }

    private void none(String... names) {
        for (String name : names) {
            sum(name, 0);
        }
    }

    private void describe() throws IOException {
        long datafiles = FILES + 2L * 3 + 1;
        long disk = Files.getFileStore(directory).getTotalSpace();
        long reserve = 64L << 20;

        // What arrived is what the client and the servers sent.
        row("messages\\.(in|out)\\..+", (now, name) -> {
            String kind = name.substring(name.lastIndexOf('.') + 1);
            assertThat(now.sum("messages.in." + kind))
                    .as("messages of kind %s", kind)
                    .isEqualTo(now.ofClient("messages.out." + kind) + now.sum("messages.out." + kind));
        });
        row(
                "messages\\.watching\\..+",
                (now, name) -> assertThat(now.ofClient(name.replace("watching", "out")))
                        .as(name)
                        .isEqualTo(name.endsWith("CLUSTER_MAP") ? now.ofClient("messages.out.CLUSTER_MAP") : 0));
        row("steps\\..+", (now, name) -> {
            long amongServers = now.sum(name) - now.ofClient(name);
            assertThat(amongServers).as(name).isNotNegative();
            // Each is counted where it is sent and where it arrives.
            assertThat(amongServers % 2).as(name).isZero();
        });
        row("refused\\..+", (now, name) -> {
            if (name.endsWith("." + missing)) {
                assertThat(now.sum(name)).as(name).isEqualTo(MISSED);
            } else {
                assertThat(now.sum(name)).as(name).isLessThanOrEqualTo(now.sumOf("messages.in."));
            }
        });
        // The shard of /files asks that of the root for the root's row and for the name.
        row(
                "copies\\.asked",
                (now, name) -> assertThat(now.sum(name)).isPositive().isEqualTo(now.sum("messages.in.GIVE_COPIES")));
        row(
                "copies\\.(held|given)",
                (now, name) -> assertThat(now.sum(name)).as(name).isEqualTo(2));
        none(
                "connections.refused",
                // No directory is renamed, and no permission of one changes.
                "copies.changes.names",
                "copies.changes.rows",
                "copies.dropped",
                "copies.recalls",
                "copies.overdue",
                "copies.waits",
                "copies.waits.micros",
                "copies.waiting",
                // No directory has several partitions.
                "partitions.owned",
                "partitions.directories",
                "partitions.giving",
                "partitions.splits",
                "partitions.merges",
                "partitions.moves",
                "partitions.halvings",
                "partitions.kept",
                "partitions.moved.names",
                "partitions.moved.micros",
                "store.reopened",
                "store.background.errors",
                "requests.busy",
                "requests.cancelled",
                "requests.faults",
                "counts.recounted",
                "disk.failures",
                "leases.conflicts",
                "leases.unreadable",
                "remove.foreign",
                "remove.unreadable",
                "longreads.waiting",
                "queue.length",
                "reads.waiting",
                "deletion.datafiles",
                "deletion.trees",
                "recovery.files",
                "outbox.pending",
                "intents.open",
                "intents.prepared",
                "leases.revoking");
        row(
                "deletion\\.io-.+",
                (now, name) -> assertThat(now.sum(name)).as(name).isZero());

        // Work.
        row(
                "requests\\.decided",
                (now, name) -> assertThat(now.sum(name))
                        .isGreaterThanOrEqualTo(
                                now.ofClient("messages.out.CREATE") + now.ofClient("messages.out.DELETE")));
        row("log\\.batches", (now, name) -> assertThat(now.sum(name)).isBetween(1L, now.sum("requests.decided")));
        row("log\\.records", (now, name) -> assertThat(now.sum(name)).isGreaterThanOrEqualTo(now.sum("log.batches")));
        row("log\\.fsyncs", (now, name) -> assertThat(now.sum(name)).isBetween(1L, now.sum("log.batches")));
        // A mark a second at most, of each shard that was written.
        row(
                "store\\.marks",
                (now, name) -> assertThat(now.sum(name))
                        .isBetween(1L, SHARDS * (2 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos))));
        row("store\\.commits", (now, name) -> assertThat(now.sum(name)).isGreaterThanOrEqualTo(now.sum("store.syncs")));
        row("store\\.syncs", (now, name) -> assertThat(now.sum(name)).isPositive());
        row("lane\\.batches", (now, name) -> assertThat(now.sum(name)).isBetween(1L, now.sum("lane.tasks")));
        row(
                "lane\\.tasks",
                (now, name) -> assertThat(now.sum(name)).isGreaterThanOrEqualTo(now.sum("messages.in.WRITE")));
        row(
                "bytes\\.in",
                (now, name) -> assertThat(now.sum(name))
                        .isEqualTo(now.ofClient("client.bytes.written"))
                        .isEqualTo(STORED + LARGE_BYTES));
        row(
                "bytes\\.out",
                (now, name) -> assertThat(now.sum(name))
                        .isEqualTo(now.ofClient("client.bytes.fetched"))
                        .isGreaterThanOrEqualTo(READ_BYTES));
        row(
                "fsyncs\\..+",
                (now, name) -> assertThat(now.sum(name)).as(name).isLessThanOrEqualTo(now.sum("lane.tasks")));
        row(
                "confirm\\..+",
                (now, name) -> assertThat(now.sumOf("confirm."))
                        .isLessThanOrEqualTo(now.sum("messages.out.CONFIRM_DATAFILES") * 1000));

        // Leases: what was granted has ended, or is open.
        row(
                "leases\\.(granted|ended|open)",
                (now, name) -> assertThat(now.sum("leases.open"))
                        .isEqualTo(now.sum("leases.granted") - now.sum("leases.ended")));
        row(
                "leases\\.(granted\\.handles|unused|used|reserved|reclaimed)",
                (now, name) -> assertThat(now.sum(name)).as(name).isBetween(0L, now.sum("leases.granted.handles")));
        row(
                "pool\\.handles",
                (now, name) -> assertThat(now.sum(name)).isBetween(0L, now.sum("leases.granted.handles")));

        // What there is.
        sum("sessions.open", 1);
        sumBetween("sessions\\.guest", 0, SHARDS - 1);
        sum("metafiles.written", 1);
        sumBetween("metafiles\\.unlinked", 0, 0);
        sum("shards.hosted", SHARDS);
        sum("space.stored.bytes", STORED);
        sumBetween("datafiles\\.unconfirmed", 0, datafiles + 3);
        row("datafiles\\.about", (now, name) -> assertThat(now.sum(name)).isGreaterThanOrEqualTo(datafiles));
        row(
                "datafiles\\.open",
                (now, name) -> assertThat(now.sum(name)).isBetween(1L, now.sum("leases.granted.handles") + datafiles));
        row("datafiles\\.open\\.bytes", (now, name) -> assertThat(now.sum(name)).isPositive());
        sumBetween("files\\.open", 0, 3 * 3);
        row("connections\\.open", (now, name) -> assertThat(now.each(name)).allMatch(count -> count >= 1));
        // This STATUS itself.
        row("requests\\.working", (now, name) -> assertThat(now.each(name)).allMatch(count -> count == 1));
        row(
                "requests\\.working\\.bytes",
                (now, name) -> assertThat(now.each(name)).allMatch(count -> count < 1000));

        // Disks and memory, of the one process and disk that there are.
        row(
                "(disk|space)\\.capacity\\.bytes",
                (now, name) -> assertThat(now.each(name)).containsOnly(disk));
        row("disk\\.reserve\\.bytes", (now, name) -> assertThat(now.each(name)).containsOnly(reserve));
        row(
                "(disk|space)\\.free\\.bytes",
                (now, name) -> assertThat(now.each(name)).allMatch(free -> free > 0 && free < disk));
        row(
                "space\\.usable\\.bytes",
                (now, name) -> now.statuses().values().stream()
                        .filter(status -> status.containsGauges(name))
                        .forEach(status -> assertThat(
                                        status.getGaugesOrThrow("space.free.bytes") - status.getGaugesOrThrow(name))
                                .isBetween(reserve - (16L << 20), reserve + (16L << 20))));
        row(
                "heap\\.used\\.bytes",
                (now, name) -> assertThat(now.each(name))
                        .allMatch(
                                used -> used > 0 && used <= Runtime.getRuntime().maxMemory()));
        row(
                "store\\.(blockcache|memtables|tablereaders|rowcache)\\.bytes",
                (now, name) -> assertThat(now.each(name))
                        .as(name)
                        .allMatch(bytes ->
                                bytes >= 0 && bytes < Runtime.getRuntime().maxMemory() * 4));
        row("store\\.files\\.bytes", (now, name) -> assertThat(now.sum(name)).isBetween(0L, du()));
    }

    private long du() {
        try (var files = Files.walk(directory)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> names(Reading now) {
        Set<String> names = new TreeSet<>();
        for (StatusReply status : now.statuses().values()) {
            for (Map<String, Long> numbers : List.of(status.getCountersMap(), status.getGaugesMap())) {
                for (String name : numbers.keySet()) {
                    Matcher shard = OF_SHARD.matcher(name);
                    names.add(shard.matches() ? shard.group(1) : name);
                }
            }
        }
        return names;
    }

    /** Waits until what is under way has come to rest: then each number is exact. */
    @Test
    void everyNumberOfStatusIsRight() {
        await().atMost(SOON).untilAsserted(() -> {
            Reading now = read();
            for (String name : names(now)) {
                List<Row> about = rows.stream()
                        .filter(row -> row.name().matcher(name).matches())
                        .toList();
                assertThat(about).as("rows for the number %s", name).hasSize(1);
                about.get(0).check().of(now, name);
            }
            now.statuses().forEach((server, status) -> {
                assertThat(status.getProblemsList()).as(server).isEmpty();
                assertThat(status.getUptimeMillis())
                        .as(server)
                        .isBetween(1L, (System.nanoTime() - beganNanos) / 1_000_000);
                for (String name : status.getGaugesMap().keySet()) {
                    Matcher shard = OF_SHARD.matcher(name);
                    if (shard.matches()) {
                        String sum = shard.group(1);
                        long shards = status.getGaugesMap().entrySet().stream()
                                .filter(each -> each.getKey().matches("shard\\.[0-9]+\\." + Pattern.quote(sum)))
                                .mapToLong(Map.Entry::getValue)
                                .sum();
                        assertThat(status.getGaugesOrThrow(sum)).as(sum).isEqualTo(shards);
                    }
                }
            });
            assertThat(now.statuses().values().stream()
                            .map(StatusReply::getEpoch)
                            .distinct())
                    .containsExactly(client.clusterMap().getEpoch());
        });
    }

    @Test
    void latenciesHaveEveryRequestOnce() {
        await().atMost(SOON).untilAsserted(() -> {
            Reading now = read();
            for (Map.Entry<String, String> server : urls.entrySet()) {
                StatusReply status =
                        Optional.ofNullable(now.statuses().get(server.getKey())).orElseThrow();
                Exposition metrics =
                        Exposition.parse(Page.get(server.getValue()).body());
                status.getLatenciesList().forEach(told -> {
                    long count = told.getCountsList().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                    assertThat(count)
                            .as("%s of %s", told.getKind(), server.getKey())
                            .isEqualTo(status.getCountersOrDefault("messages.in." + told.getKind(), -1));
                    assertThat(metrics.sum("steadfs_request_seconds_count", "kind=\"" + told.getKind() + "\""))
                            .isEqualTo((double) count);
                });
            }
            assertThat(now.ofClient("latency.STAT.count")).isEqualTo(now.ofClient("messages.out.STAT"));
            assertThat(now.ofClient("latency.STAT.micros.p99"))
                    .isGreaterThanOrEqualTo(now.ofClient("latency.STAT.micros.p50"))
                    .isPositive();
        });
    }

    /** Numbers of answers by their place, for example {@code servers.serving}; of lists the first element's. */
    private static void collect(String place, JsonNode node, Map<String, Double> into) {
        if (node.isNumber()) {
            into.put(place, node.asDouble());
        } else if (node.isArray()) {
            if (!node.isEmpty()) {
                collect(place + "[]", node.get(node.size() - 1), into);
            }
        } else if (node.isObject()) {
            node.properties()
                    .forEach(field -> collect(
                            place.isEmpty() ? field.getKey() : place + "." + field.getKey(), field.getValue(), into));
        }
    }

    private static void hold(String page, Map<String, Double> there, Map<String, Condition<Double>> right) {
        there.forEach((place, value) -> {
            List<String> rules = right.keySet().stream().filter(place::matches).toList();
            assertThat(rules).as("rows for %s of %s", place, page).hasSize(1);
            assertThat(value)
                    .as("%s of %s", place, page)
                    .is(Optional.ofNullable(right.get(rules.get(0))).orElseThrow());
        });
    }

    private static Condition<Double> is(double right) {
        return new Condition<>(value -> value == right, "%s", right);
    }

    private static Condition<Double> between(double least, double most) {
        return new Condition<>(value -> value >= least && value <= most, "between %s and %s", least, most);
    }

    private Map<String, Condition<Double>> ofOverview() throws IOException {
        double disk = Files.getFileStore(directory).getTotalSpace();
        double epoch = client.clusterMap().getEpoch();
        return Map.ofEntries(
                Map.entry("epoch", is(epoch)),
                Map.entry("shards", is(SHARDS)),
                Map.entry("servers\\.(serving|total)", is(2 + IO_SERVERS)),
                Map.entry("ioServers\\.(serving|total)", is(IO_SERVERS)),
                // All servers share one disk.
                Map.entry("capacityBytes", is(disk)),
                Map.entry("usedBytes", is(STORED)),
                Map.entry("freeBytes|otherBytes", between(1, disk)),
                Map.entry("pending\\.sessions\\.open", is(1)),
                Map.entry("pending\\.sessions\\.guest", between(0, SHARDS - 1)),
                Map.entry("pending\\.(deletion|recovery|intents|outbox|copies)\\..+", is(0)),
                Map.entry("handles\\.inUse", between(1, 100_000)),
                Map.entry("handles\\.pooled", between(0, 100_000)),
                Map.entry("handles\\.(pending|suspect|orphan)", is(0)),
                Map.entry("at", between(1, (double) System.currentTimeMillis() + 60_000)));
    }

    @Test
    void everyNumberOfTheInterfaceIsRight() throws Exception {
        try (WebService web = WebService.start(
                new SteadUri(cluster.local().address()),
                WebServer.Options.onLoopback(0, directory.resolve("webui")),
                Configured.of("a test", ServerKeys.LOCAL, key -> Optional.empty()))) {
            RestClient rest = new RestClient(web.uri());
            Users.NewUser admin = web.first().orElseThrow();
            rest.login(admin.name(), admin.password());
            double disk = Files.getFileStore(directory).getTotalSpace();
            await().atMost(SOON).untilAsserted(() -> {
                hold("/overview", numbers(rest, "overview"), ofOverview());
                double stored = 0;
                for (int id = 1; id <= IO_SERVERS; id++) {
                    Map<String, Double> server = numbers(rest, "servers/io-" + id);
                    server.keySet().removeIf(place -> place.startsWith("counters.") || place.startsWith("gauges."));
                    hold(
                            "/servers/io-" + id,
                            server,
                            Map.of(
                                    "uptimeMillis", between(1, (System.nanoTime() - beganNanos) / 1e6),
                                    "capacityBytes", is(disk),
                                    "usedBytes", between(0, STORED),
                                    "freeBytes", between(1, disk),
                                    "asOf", between(1, (double) System.currentTimeMillis() + 1)));
                    stored += Optional.ofNullable(server.get("usedBytes")).orElseThrow();
                }
                assertThat(stored).isEqualTo(STORED);
                hold(
                        "/leaks",
                        numbers(rest, "leaks"),
                        Map.of(
                                "classes\\[\\]\\.handles", is(0),
                                "classes\\[\\]\\.bytes", is(0),
                                "trend\\[\\]\\..+", between(0, 1e18)));
                // Nobody works but this page, and it is in no rate.
                JsonNode points = rest.get("api/v1/overview/history").json().get("points");
                assertThat(points).anySatisfy(point -> {
                    assertThat(point.get("requestsPerSecond").asDouble()).isZero();
                    assertThat(point.get("createsPerSecond").asDouble()).isZero();
                    assertThat(point.get("bytesPerSecond").asDouble()).isZero();
                });
                JsonNode latencies = rest.get("api/v1/latencies").json();
                Reading now = read();
                latencies
                        .get("items")
                        .forEach(item -> assertThat(item.get("count").asLong())
                                .as("%s", item)
                                .isBetween(
                                        1L,
                                        now.sum("messages.in."
                                                + item.get("kind").asText())));
            });
        }
    }

    private static Map<String, Double> numbers(RestClient rest, String page) throws IOException, InterruptedException {
        Map<String, Double> numbers = new TreeMap<>();
        collect("", rest.get("api/v1/" + page).json(), numbers);
        assertThat(numbers).as(page).isNotEmpty();
        return numbers;
    }

    @Test
    void everyNumberOfStatusCommandIsRight() throws Exception {
        double disk = Files.getFileStore(directory).getTotalSpace();
        double epoch = client.clusterMap().getEpoch();
        await().atMost(SOON).untilAsserted(() -> {
            Map<String, Double> numbers = new TreeMap<>();
            collect("", new ObjectMapper().readTree(status("--json")), numbers);
            numbers.keySet().removeIf(place -> place.matches("servers\\[\\]\\.(counters|gauges)\\..+"));
            hold(
                    "status",
                    numbers,
                    Map.ofEntries(
                            Map.entry("epoch", is(epoch)),
                            Map.entry("shards", is(SHARDS)),
                            Map.entry("answered", is(2 + IO_SERVERS)),
                            Map.entry("space\\.(ioServers|answered)", is(IO_SERVERS)),
                            Map.entry("space\\.capacityBytes", is(disk)),
                            Map.entry("space\\.usedBytes", is(STORED)),
                            Map.entry("space\\.(freeBytes|otherBytes)", between(1, disk)),
                            Map.entry("space\\.awayFreeBytes", is(0)),
                            Map.entry("servers\\[\\]\\.uptimeMillis", between(1, 1e7)),
                            Map.entry("servers\\[\\]\\.capacityBytes", is(disk)),
                            Map.entry("servers\\[\\]\\.usedBytes", between(0, STORED)),
                            Map.entry("servers\\[\\]\\.freeBytes", between(1, disk)),
                            Map.entry(
                                    "servers\\[\\]\\.asOfMillis", between(1, (double) System.currentTimeMillis() + 1)),
                            Map.entry("pending\\.sessions\\.open", is(1)),
                            Map.entry("pending\\.sessions\\.guest", between(0, SHARDS - 1)),
                            Map.entry("pending\\.(deletion|recovery|intents|outbox|copies)\\..+", is(0))));
            assertThat(status())
                    .contains("of 5 server(s) 5 answered")
                    .contains("files have " + STORED + " bytes on 3 IO server(s)")
                    .contains("sessions.open 1\n")
                    .contains("all is well");
        });
    }

    private String status(String... options) {
        StringWriter out = new StringWriter();
        List<String> arguments =
                new ArrayList<>(List.of("status", "--uri", cluster.local().uri().toString()));
        arguments.addAll(List.of(options));
        assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute(arguments.toArray(String[]::new)))
                .isZero();
        return out.toString();
    }
}
