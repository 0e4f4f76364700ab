package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.path.FsPath;
import io.steadfs.recent.RecentMessage;
import io.steadfs.time.SystemClock;
import io.steadfs.timeline.CreateProbe;
import io.steadfs.timeline.Gathering;
import io.steadfs.timeline.RecentOperation;
import io.steadfs.timeline.ServedMessage;
import io.steadfs.timeline.Span;
import io.steadfs.timeline.Timeline;
import io.steadfs.timeline.TimelineMessage;
import io.steadfs.timeline.Traces;
import io.steadfs.wire.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

/** The timeline of a create by each protocol has every message that the servers counted, joined with its server's bar. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class TimelineTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int SHARDS = 3;
    private static final int IO_SERVERS = 4;
    private static final int COLUMNS = 4;

    /** The shards lease for themselves in the background once this one was used: it comes last. */
    static final List<Protocol> PROTOCOLS = List.of(
            Protocol.UNIFIED,
            Protocol.BASECASE,
            Protocol.COMPOUND,
            Protocol.LEASED,
            Protocol.PRECREATED,
            Protocol.EAGER,
            Protocol.LAZY,
            Protocol.DELEGATED);

    /** What is counted of a create, and of what shards ask each other for it. */
    private static final Set<String> OF_CREATE = Set.of(
            "CREATE",
            "CREATE_METAFILE",
            "CREATE_DATAFILE",
            "ATTACH",
            "LINK",
            "LEASE_HANDLES",
            "RESERVE_HANDLE",
            "STAT_HANDLES");

    private static final Map<String, String> SMALL_LEASES = Map.of(
            "stead.client.lease.handles.min",
            "20",
            "stead.client.lease.handles.max",
            "20",
            "stead.client.lease.ahead",
            "false");

    private final Cluster cluster;
    private final Connections connections = Connections.ofOperator();

    TimelineTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, SHARDS, SHARDS, IO_SERVERS, Map.of());
    }

    @AfterAll
    void stop() throws IOException {
        connections.close();
        cluster.close();
    }

    private String uri() {
        return cluster.local().uri().toString();
    }

    private Connection connect(Protocol protocol) throws IOException {
        Map<String, String> settings = new HashMap<>(SMALL_LEASES);
        settings.putAll(protocol.settings());
        return connections.open(SteadUri.parse(uri()), settings);
    }

    private static Gathering gathering(Connection connection) {
        return new Gathering(connection.transport(), new SystemClock());
    }

    @ParameterizedTest
    @FieldSource("PROTOCOLS")
    void aCreateIsShownWithAllItsMessages(Protocol protocol) throws IOException {
        try (Connection connection = connect(protocol);
                CreateProbe probe = new CreateProbe(
                        connection.fs(),
                        connection.recent(),
                        gathering(connection),
                        FsPath.parse("/timeline-" + protocol),
                        COLUMNS)) {
            probe.prepare(2 * IO_SERVERS);
            Counters before = connection.counters();
            probe.create();
            // A shard may still wait for an answer that it no longer needs.
            await().atMost(SOON).untilAsserted(() -> {
                Map<String, Long> counted =
                        counted(protocol, connection.counters().since(before));
                Timeline timeline = probe.timeline();
                assertThat(timeline.problems()).isEmpty();
                assertThat(kinds(timeline)).as("%s", protocol).isEqualTo(counted);
                timeline.messages().forEach(TimelineTest::assertJoined);
                assertSameWithoutTheClient(connection, timeline);
            });
        }
    }

    private static Map<String, Long> counted(Protocol protocol, Counters counters) {
        Map<String, Long> counted = new TreeMap<>(counters.messages());
        counted.keySet().retainAll(OF_CREATE);
        if (protocol == Protocol.DELEGATED) {
            counted.remove("LEASE_HANDLES");
        }
        return counted;
    }

    private static Map<String, Long> kinds(Timeline timeline) {
        Map<String, Long> kinds = new TreeMap<>();
        timeline.messages().forEach(each -> kinds.merge(each.kind().name(), 1L, Long::sum));
        // Whether a shard meets the session for the first time in this create is chance.
        kinds.remove("SESSION_STATUS");
        return kinds;
    }

    private static void assertJoined(TimelineMessage message) {
        assertThat(message.sent()).as("sender's bar of %s", message).isPresent();
        assertThat(message.served()).as("server's bar of %s", message).isPresent();
        assertThat(message.sender()).matches("client|mds-[123]");
        assertThat(message.server()).matches("mds-[123]|io-[1234]");
        ServedMessage served = message.served().orElseThrow();
        assertWithin(served.bar(), message.sent().orElseThrow());
        boolean writes = message.outcome().equals("OK")
                && OF_CREATE.contains(message.kind().name())
                && !message.kind().name().equals("STAT_HANDLES");
        if (writes) {
            assertThat(served.commit()).as("commit of %s", message).isPresent();
        }
        served.commit().ifPresent(commit -> assertWithin(commit, served.bar()));
        assertThat(served.startedNanos())
                .isBetween(served.bar().beginNanos(), served.bar().endNanos());
    }

    private static void assertWithin(Span inner, Span outer) {
        assertThat(inner.beginNanos()).isBetween(outer.beginNanos(), outer.endNanos());
        assertThat(inner.endNanos()).isBetween(inner.beginNanos(), outer.endNanos());
    }

    /** Who knows no more than the trace id sees the same messages; what servers sent is still joined. */
    private static void assertSameWithoutTheClient(Connection connection, Timeline whole) throws IOException {
        Timeline seen = gathering(connection).timeline(connection.fs().clusterMap(), whole.traceId(), List.of());
        assertThat(kinds(seen)).isEqualTo(kinds(whole));
        assertThat(seen.messages().stream().filter(each -> each.sent().isPresent()))
                .as("messages between servers")
                .hasSize((int) whole.messages().stream()
                        .filter(each -> !each.sender().equals(Timeline.CLIENT))
                        .count());
    }

    @Test
    void whatOthersDidIsAmongTheRecentOperations() throws IOException {
        try (Connection other = connect(Protocol.UNIFIED);
                Connection connection = connect(Protocol.UNIFIED)) {
            other.fs().mkdirs(FsPath.parse("/recent"), 0755, true, true);
            long traceId = other.recent().page(0, 0, 0).messages().stream()
                    .filter(message -> message.kind().name().equals("MKDIRS"))
                    .findFirst()
                    .map(RecentMessage::traceId)
                    .orElseThrow();

            List<RecentOperation> operations = gathering(connection)
                    .operations(connection.fs().clusterMap(), 100_000)
                    .operations();

            assertThat(operations)
                    .filteredOn(each -> each.traceId() == traceId)
                    .hasSize(1)
                    .allSatisfy(each -> assertThat(each.kinds()).contains("MKDIRS"));
        }
    }

    /** What the directories are above the file, and on which shards they are, is not asked of anybody any more. */
    @Test
    void aCreateBelowKnownDirectoriesIsOneBar() throws IOException {
        FsPath deep = FsPath.parse("/bar/of/a/file/below/many");
        try (Connection connection = connect(Protocol.UNIFIED)) {
            connection.fs().mkdirs(deep, 0755, true, true);
            // Opens the session, leases handles, and lets the shard ask for copies of what is above.
            for (int i = 0; i < 2 * IO_SERVERS; i++) {
                connection
                        .fs()
                        .create(deep.child("warm-" + i), CreateOptions.DEFAULT)
                        .close();
            }
            connection.fs().create(deep.child("file"), CreateOptions.DEFAULT).close();
            long traceId = connection.recent().page(0, 0, 0).messages().stream()
                    .filter(message -> message.kind() == Kind.CREATE)
                    .reduce((earlier, later) -> later)
                    .map(RecentMessage::traceId)
                    .orElseThrow();

            Timeline timeline = gathering(connection).timeline(connection.fs().clusterMap(), traceId, List.of());

            assertThat(timeline.messages().stream().map(TimelineMessage::kind).filter(kind -> kind != Kind.CLOSE))
                    .containsExactly(Kind.CREATE);
        }
    }

    @Test
    void theCommandShowsProbesAndRemovesThem() throws IOException {
        StringWriter out = new StringWriter();
        int exit = run(
                out,
                "timeline",
                "--uri",
                uri(),
                "--probe",
                "unified,basecase",
                "--columns",
                Integer.toString(COLUMNS),
                "--json");

        assertThat(exit).isZero();
        JsonNode timelines = new ObjectMapper().readTree(out.toString()).get("timelines");
        assertThat(timelines).hasSize(2);
        JsonNode basecase = timelines.get(1);
        assertThat(basecase.get("protocol").asText()).isEqualTo("basecase");
        assertThat(basecase.get("messages").findValuesAsText("kind"))
                .contains("CREATE_METAFILE", "CREATE_DATAFILE", "ATTACH", "LINK");
        assertThat(basecase.get("messages").get(0).get("served").has("commit")).isTrue();
        String trace = basecase.get("trace").asText();
        assertThat(Traces.name(Traces.parse(trace))).isEqualTo(trace);

        StringWriter text = new StringWriter();
        assertThat(run(text, "timeline", "--uri", uri(), "--trace", trace)).isZero();
        // How wide a commit is drawn depends on how long all took.
        assertThat(text.toString())
                .contains("CREATE_DATAFILE", "from a client")
                .containsPattern("(?m)^ *mds-[0-9]+ +CREATE_METAFILE .*#");
        StringWriter recent = new StringWriter();
        assertThat(run(recent, "timeline", "--uri", uri(), "--recent", "--limit", "1000"))
                .isZero();
        assertThat(recent.toString()).contains(trace);
        try (Connection connection = connect(Protocol.UNIFIED)) {
            assertThat(connection.fs().listSorted(FsPath.ROOT).stream().map(Entry::name))
                    .noneMatch(name -> name.startsWith(".stead-timeline"));
        }
    }

    /** For people: the pictures are left in {@code target/timelines.txt}. */
    @Test
    void theCommandDraws() throws IOException {
        List<Protocol> protocols = PROTOCOLS.subList(0, PROTOCOLS.indexOf(Protocol.DELEGATED));
        List<String> known = protocols.stream().map(Protocol::toString).toList();
        String names = String.join(",", known);
        StringWriter out = new StringWriter();

        int exit = run(out, "timeline", "--uri", uri(), "--probe", names, "--columns", Integer.toString(COLUMNS));

        assertThat(exit).isZero();
        Files.writeString(Path.of("target", "timelines.txt"), out.toString());
        known.forEach(name -> assertThat(out.toString()).contains("create by " + name + ", columns 4: trace "));
        assertThat(out.toString()).contains("client ", "io-1 ", "####", Timeline.CLOCKS);
    }

    @Test
    void wrongUseIsSaid() {
        StringWriter unused = new StringWriter();
        assertThat(run(unused, "timeline", "--uri", uri())).isEqualTo(2);
        assertThat(run(unused, "timeline", "--uri", uri(), "--probe", "nonsense"))
                .isEqualTo(2);
        assertThat(run(unused, "timeline", "--uri", uri(), "--trace", "xyz")).isEqualTo(2);
        assertThat(run(unused, "timeline", "--uri", uri(), "--recent", "--probe", "all"))
                .isEqualTo(2);
        assertThat(run(unused, "timeline", "--uri", uri(), "--trace", "123"))
                .as("an operation that nobody knows")
                .isEqualTo(1);
    }

    private static int run(StringWriter out, String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        StringWriter unused = new StringWriter();
        command.setErr(new PrintWriter(unused, true));
        return command.execute(arguments);
    }
}
