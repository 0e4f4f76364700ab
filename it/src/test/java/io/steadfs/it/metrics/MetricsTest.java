package io.steadfs.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code /metrics} and {@code /health} of three metadata servers and two IO servers at work. */
@TestInstance(Lifecycle.PER_CLASS)
class MetricsTest {
    private static final Pattern OF_SHARD = Pattern.compile("shard\\.[0-9]+\\.(.+)");
    private static final Pattern METRIC = Pattern.compile("steadfs_[a-z0-9_]+");

    /** Told by STATUS beside its counters and gauges: epoch, uptime, number of problems. */
    private static final int FIELDS = 3;

    private final Cluster cluster;
    private final Map<String, String> urls;

    MetricsTest(@TempDir Path directory) throws IOException {
        cluster = Cluster.start(directory, 2, Map.of());
        urls = cluster.local().metricsUrls();
    }

    /** Something of everything that the dashboard shows: bytes, a refusal, a removal. */
    @BeforeAll
    void work() throws IOException {
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            FsPath file = FsPath.parse("/work/file");
            byte[] bytes = new byte[100_000];
            try (FileWriter writer = fs.create(file, CreateOptions.DEFAULT)) {
                writer.write(bytes, 0, bytes.length);
            }
            try (FileReader reader = fs.open(file)) {
                assertThat(reader.read(0, ByteBuffer.allocate(1000))).isPositive();
            }
            assertThatThrownBy(() -> fs.open(FsPath.parse("/work/none"))).isInstanceOf(FsException.class);
        }
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    private static Exposition metrics(String url) throws IOException, InterruptedException {
        return Exposition.parse(Page.get(url).body());
    }

    private double sum(String metric, String... labels) throws IOException, InterruptedException {
        double sum = 0;
        for (String url : urls.values()) {
            sum += metrics(url).sum(metric, labels);
        }
        return sum;
    }

    private Map<String, StatusReply> statuses() throws IOException {
        Map<String, StatusReply> statuses = new TreeMap<>();
        try (Connections connections = Connections.ofProcess();
                Connection connection =
                        connections.open(new SteadUri(cluster.local().address()))) {
            for (var port : cluster.ports().entrySet()) {
                statuses.put(port.getKey(), StatusOf.server(connection.transport(), port.getKey(), port.getValue()));
            }
        }
        return statuses;
    }

    @Test
    void everyServerAnswersInPrometheusFormat() throws Exception {
        assertThat(urls).containsOnlyKeys("mds-1", "mds-2", "mds-3", "io-1", "io-2");
        assertThat(new TreeSet<>(urls.values())).hasSize(5);
        for (Map.Entry<String, String> server : urls.entrySet()) {
            Page page = Page.get(server.getValue());
            assertThat(page.code()).isEqualTo(200);
            assertThat(page.type()).startsWith("text/plain; version=0.0.4");
            Exposition metrics = Exposition.parse(page.body());
            metrics.types().forEach((name, type) -> {
                assertThat(name).startsWith("steadfs_");
                assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            });
            String role = server.getKey().replaceAll("-.*", "");
            assertThat(metrics.values().keySet())
                    .allMatch(value -> value.contains("server=\"" + server.getKey() + "\""))
                    .allMatch(value -> value.contains("role=\"" + role + "\""));
        }
    }

    @Test
    void aCreateIsCounted() throws Exception {
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            fs.mkdirs(FsPath.parse("/counted"), 0755, true, true);
            double arrived = sum("steadfs_messages_in_total", "kind=\"CREATE\"");
            double decided = sum("steadfs_requests_decided_total", "shard=");
            fs.create(FsPath.parse("/counted/file"), CreateOptions.DEFAULT).close();
            assertThat(sum("steadfs_messages_in_total", "kind=\"CREATE\"")).isGreaterThan(arrived);
            assertThat(sum("steadfs_requests_decided_total", "shard=")).isGreaterThan(decided);
        }
    }

    @Test
    void everyNumberOfStatusIsAMetricThatIsDescribed() throws Exception {
        for (Map.Entry<String, StatusReply> server : statuses().entrySet()) {
            Exposition metrics =
                    metrics(Optional.ofNullable(urls.get(server.getKey())).orElseThrow());
            int numbers = withoutSums(server.getValue().getCountersMap())
                    + withoutSums(server.getValue().getGaugesMap());
            assertThat(metrics.values()).as(server.getKey()).hasSizeGreaterThanOrEqualTo(numbers + FIELDS);
            assertThat(metrics.helps().values())
                    .as("metrics of %s that a line in MetricNames describes", server.getKey())
                    .noneMatch(help -> help.startsWith("As STATUS has it"));
            assertThat(metrics.sum("steadfs_disk_reserve_bytes"))
                    .isEqualTo((double) server.getValue().getGaugesOrThrow("disk.reserve.bytes"));
        }
    }

    /** Without those that a metadata server tells of each shard, too. */
    private static int withoutSums(Map<String, Long> numbers) {
        Set<String> names = new TreeSet<>(numbers.keySet());
        for (String name : numbers.keySet()) {
            Matcher shard = OF_SHARD.matcher(name);
            if (shard.matches()) {
                names.remove(shard.group(1));
            }
        }
        return names.size();
    }

    @Test
    void statusTellsWhereMetricsAre() throws IOException {
        statuses()
                .forEach((server, status) -> assertThat("http://" + status.getMetricsAddress() + "/metrics")
                        .isEqualTo(urls.get(server)));
    }

    @Test
    void everyServerIsWell() throws Exception {
        for (String url : urls.values()) {
            assertThat(Page.health(url)).isEqualTo(new Page(200, "application/json", "{\"status\":\"ok\"}"));
        }
    }

    @Test
    void theDashboardShowsOnlyWhatIsThere() throws Exception {
        JsonNode dashboard = new ObjectMapper()
                .readTree(Files.readString(Path.of(System.getProperty("stead.home"), "docs/grafana/steadfs.json")));
        Set<String> shown = new TreeSet<>();
        for (JsonNode expression : dashboard.findValues("expr")) {
            METRIC.matcher(expression.asText())
                    .results()
                    .forEach(found -> shown.add(found.group().replaceFirst("_(bucket|sum|count)$", "")));
        }
        Set<String> there = new TreeSet<>();
        for (String url : urls.values()) {
            there.addAll(metrics(url).types().keySet());
        }
        assertThat(dashboard.get("panels")).isNotEmpty();
        assertThat(shown).hasSizeGreaterThan(20).isSubsetOf(there);
        METRIC.matcher(dashboard.get("templating").toString())
                .results()
                .forEach(found -> assertThat(there).contains(found.group()));
    }

    /** Each rule has what Alertmanager needs, and asks only for what servers tell. */
    @Test
    void theAlertsAreOfWhatIsThere() throws Exception {
        JsonNode rules = new ObjectMapper(new YAMLFactory())
                .readTree(Files.readString(Path.of(System.getProperty("stead.home"), "conf/prometheus-alerts.yml")))
                .get("groups")
                .get(0)
                .get("rules");
        Set<String> there = new TreeSet<>();
        for (String url : urls.values()) {
            there.addAll(metrics(url).types().keySet());
        }
        Set<String> names = new TreeSet<>();
        Set<String> asked = new TreeSet<>();
        for (JsonNode rule : rules) {
            String name = rule.get("alert").asText();
            assertThat(names.add(name)).as(name).isTrue();
            assertThat(rule.get("labels").get("severity").asText()).as(name).isIn("warning", "critical");
            assertThat(rule.get("annotations").get("summary").asText()).as(name).isNotBlank();
            assertThat(rule.get("annotations").get("description").asText())
                    .as(name)
                    .isNotBlank();
            METRIC.matcher(rule.get("expr").asText())
                    .results()
                    .forEach(found -> asked.add(found.group().replaceFirst("_(bucket|sum|count)$", "")));
        }
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(asked).hasSizeGreaterThan(10).isSubsetOf(there);
    }
}
