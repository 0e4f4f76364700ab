package io.steadfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.StatusReply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One server's pages, with its account of itself given by hand. */
class MetricsServerTest {
    private static final StatusReply SHARDS = StatusReply.newBuilder()
            .setEpoch(7)
            .setUptimeMillis(1500)
            .putCounters("messages.in.CREATE", 3)
            .putCounters("steps.a\"b\\c\nd", 1)
            .putCounters("log.batches", 12)
            .putCounters("shard.0.log.batches", 5)
            .putCounters("shard.2.log.batches", 7)
            .putCounters("quite.new", 4)
            .putGauges("connections.open", 2)
            .putGauges("deletion.io-3", 8)
            .putGauges("shard.2.deletion.io-3", 8)
            .addProblems("a problem")
            .build();

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private volatile Supplier<StatusReply> status = () -> SHARDS;
    private volatile Supplier<List<String>> reasons = List::of;
    private final MetricsServer server;

    MetricsServerTest() throws IOException {
        server = start(Map.of("stead.metrics.port", "0"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MetricsServer start(Map<String, String> values) throws IOException {
        return MetricsServer.start(ServerId.mds(1), Settings.of(values), () -> status.get(), () -> reasons.get());
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + server.address().orElseThrow() + path);
        return HTTP.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return ask("GET", path);
    }

    @Test
    void showsWhatStatusCounts() throws Exception {
        HttpResponse<String> metrics = get("/metrics");

        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(metrics.body().lines())
                .contains(
                        "# HELP steadfs_messages_in_total Requests that arrived, by kind.",
                        "# TYPE steadfs_messages_in_total counter",
                        "steadfs_messages_in_total{kind=\"CREATE\",role=\"mds\",server=\"mds-1\"} 3.0",
                        "steadfs_steps_total{role=\"mds\",server=\"mds-1\",step=\"a\\\"b\\\\c\\nd\"} 1.0",
                        "# TYPE steadfs_connections_open gauge",
                        "steadfs_connections_open{role=\"mds\",server=\"mds-1\"} 2.0",
                        "steadfs_epoch{role=\"mds\",server=\"mds-1\"} 7.0",
                        "steadfs_uptime_seconds{role=\"mds\",server=\"mds-1\"} 1.5",
                        "steadfs_problems{role=\"mds\",server=\"mds-1\"} 1.0");
    }

    @Test
    void showsEachShardAndLeavesTheirSumOut() throws Exception {
        assertThat(get("/metrics").body().lines().filter(line -> line.startsWith("steadfs_log_batches_total{")))
                .containsExactlyInAnyOrder(
                        "steadfs_log_batches_total{role=\"mds\",server=\"mds-1\",shard=\"0\"} 5.0",
                        "steadfs_log_batches_total{role=\"mds\",server=\"mds-1\",shard=\"2\"} 7.0");
        assertThat(get("/metrics").body().lines().filter(line -> line.startsWith("steadfs_deletion_queue_datafiles{")))
                .containsExactly("steadfs_deletion_queue_datafiles{io_server=\"3\",role=\"mds\",server=\"mds-1\","
                        + "shard=\"2\"} 8.0");
    }

    @Test
    void showsNumbersThatNobodyDescribed() throws Exception {
        assertThat(get("/metrics").body().lines())
                .contains(
                        "# HELP steadfs_quite_new_total As STATUS has it under quite.new.",
                        "steadfs_quite_new_total{role=\"mds\",server=\"mds-1\"} 4.0");
    }

    @Test
    void answersOnWhenANumberCannotBeTold() throws Exception {
        status = () -> {
            throw new IllegalStateException("the store is closed");
        };
        assertThat(get("/metrics").statusCode()).isEqualTo(500);
        assertThat(get("/health").statusCode()).isEqualTo(200);
        status = () -> SHARDS;
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void saysWhetherTheServerServesAndWhyNot() throws Exception {
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).isEqualTo("{\"status\":\"ok\"}");
        assertThat(get("/health").headers().firstValue("Content-Type")).contains("application/json");

        reasons = () -> List.of("ZooKeeper does not answer", "shard 1 \"waits\" for space");
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body())
                .isEqualTo("{\"status\":\"failing\",\"reasons\":[\"ZooKeeper does not answer\","
                        + "\"shard 1 \\\"waits\\\" for space\"]}");

        reasons = () -> {
            throw new IllegalStateException("closed");
        };
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body()).contains("unknown").contains("closed");

        reasons = List::of;
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"GET,/,404", "GET,/healthy,404", "HEAD,/health,200", "POST,/health,405", "DELETE,/other,405"})
    void answersNothingElse(String method, String path, int code) throws Exception {
        assertThat(ask(method, path).statusCode()).isEqualTo(code);
    }

    /** As Prometheus asks. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/* | text/plain; version=0.0.4",
                "application/openmetrics-text;version=1.0.0;q=0.9,*/*;q=0.1 | application/openmetrics-text",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited |"
                        + " application/vnd.google.protobuf"
            })
    void answersAsAsked(String accept, String type) throws Exception {
        URI uri = URI.create("http://" + server.address().orElseThrow() + "/metrics");
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(uri).header("Accept", accept).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(given -> assertThat(given).startsWith(type));
        assertThat(answer.body()).contains("steadfs_log_batches");
    }

    @Test
    void isOffWhereItIsConfiguredSo() throws IOException {
        RequestHandler door = call -> {};
        try (MetricsServer off = start(Map.of("stead.metrics.port", "-1"))) {
            assertThat(off.address()).isEmpty();
            assertThat(off.toldBy(door)).isSameAs(door);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "stead.metrics.port,-2,is not in -1..65535",
        "stead.metrics.port,65536,is not in -1..65535",
        "stead.metrics.port,http,is neither a port nor",
        "stead.metrics.bind.host,'',is no host",
        "stead.metrics.bind.host,a b,is no host",
        "stead.metrics.bind.host,no-such-host.invalid,is no host that is known here"
    })
    void refusesWhatCannotBeUsed(String key, String value, String why) {
        assertThatThrownBy(() -> start(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("'" + value + "'")
                .hasMessageContaining(why);
    }

    @Test
    void tellsOfAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start(Map.of("stead.metrics.port", Integer.toString(taken.getLocalPort()))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mds-1")
                    .hasMessageContaining("stead.metrics.bind.host = '127.0.0.1'")
                    .hasMessageContaining("stead.metrics.port = '" + taken.getLocalPort() + "'");
        }
    }

    @Test
    void answersNothingAfterItsClose() {
        server.close();
        assertThatThrownBy(() -> get("/health")).isInstanceOf(IOException.class);
        server.close();
    }

    private Socket connected() throws IOException {
        ServerAddress address = server.address().orElseThrow();
        Socket socket = new Socket(address.host(), address.port());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Empty where the connection ends without an answer. */
    private static String statusLine(Socket socket) throws IOException {
        try {
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return line == null ? "" : line;
        } catch (SocketException e) {
            return "";
        }
    }

    @Test
    void connectionsHaveABoundAndTheNextOneIsClosedAtOnce() throws Exception {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                Socket each = connected();
                held.add(each);
                send(each, HEALTH);
                assertThat(statusLine(each)).as("connection %d", i).startsWith("HTTP/1.1 200");
            }
            try (Socket next = connected()) {
                send(next, HEALTH);
                assertThat(statusLine(next)).isEmpty();
            }
        } finally {
            for (Socket each : held) {
                each.close();
            }
        }
        await().atMost(SOON).untilAsserted(() -> {
            try (Socket next = connected()) {
                send(next, HEALTH);
                assertThat(statusLine(next)).startsWith("HTTP/1.1 200");
            }
        });
    }

    @Test
    void requestsAtWorkHaveABoundAndTheNextOnesWait() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger atWork = new AtomicInteger();
        reasons = () -> {
            atWork.incrementAndGet();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        };
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 15; i++) {
                Socket each = connected();
                held.add(each);
                send(each, HEALTH);
            }
            await().atMost(SOON).until(() -> atWork.get() == 10);
            Socket last = held.get(14);
            last.setSoTimeout(300);
            assertThatThrownBy(() -> statusLine(last)).isInstanceOf(SocketTimeoutException.class);
            assertThat(atWork).hasValue(10);
            release.countDown();
            for (Socket each : held) {
                each.setSoTimeout((int) SOON.toMillis());
                assertThat(statusLine(each)).startsWith("HTTP/1.1 200");
            }
        } finally {
            release.countDown();
            for (Socket each : held) {
                each.close();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"150, 10, true", "250, 10, false", "10, 1000, true", "10, 50000, false"})
    void headersHaveABound(int count, int length, boolean isAnswered) throws Exception {
        StringBuilder request = new StringBuilder("GET /health HTTP/1.1\r\nHost: localhost\r\n");
        for (int i = 0; i < count; i++) {
            request.append("x-")
                    .append(i)
                    .append(": ")
                    .append("y".repeat(length))
                    .append("\r\n");
        }
        try (Socket socket = connected()) {
            String answer;
            try {
                send(socket, request + "\r\n");
                answer = statusLine(socket);
            } catch (SocketException e) {
                // Closed while the rest was on its way.
                answer = "";
            }
            assertThat(answer.startsWith("HTTP/1.1 200")).as(answer).isEqualTo(isAnswered);
        }
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    /** Bounds of the JDK's server that are read once in a process; here they are what the exporter sets where nobody else does. */
    @Test
    void aRequestThatDoesNotComeEndsAfterAMinute() {
        assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo("60");
        assertThat(System.getProperty("sun.net.httpserver.maxRspTime")).isEqualTo("600");
    }
}
