package io.steadfs.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Servers in processes of their own. Each test starts several, so there are few. */
class ProcessClusterTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final FsPath FILE = new FsPath(List.of("file"));
    private static final List<String> ZOOKEEPERS = List.of("zookeeper-1", "zookeeper-2", "zookeeper-3");

    private final Path directory;

    ProcessClusterTest(@TempDir Path directory) {
        this.directory = directory.resolve("cluster");
    }

    private interface Use {
        void of(SteadFs fs) throws IOException;
    }

    private static void use(ProcessCluster cluster, Use use) throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(cluster.address()))) {
            use.of(connection.fs());
        }
    }

    private static void write(SteadFs fs, String text) throws IOException {
        try (FileWriter writer = fs.create(FILE, CreateOptions.DEFAULT)) {
            byte[] bytes = text.getBytes(UTF_8);
            writer.write(bytes, 0, bytes.length);
        }
    }

    private static String read(SteadFs fs) throws IOException {
        try (FileReader reader = fs.open(FILE)) {
            ByteBuffer bytes = ByteBuffer.allocate(100);
            int count = reader.read(0, bytes);
            return new String(bytes.array(), 0, count, UTF_8);
        }
    }

    /** Exit code and output. */
    private static String status(ProcessCluster cluster) {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        return command.execute("status", "--uri", cluster.uri().toString()) + " " + out;
    }

    /** mds-1 may hear a moment after the start that the other servers run. */
    private static void awaitWell(ProcessCluster cluster) {
        await().atMost(SOON).untilAsserted(() -> assertThat(status(cluster)).startsWith("0 "));
    }

    @Test
    void aKilledServerIsNamedAndStartsAgainWhereItWas() throws IOException {
        ServerAddress second;
        try (ProcessCluster cluster =
                ProcessCluster.in(directory).mds(2).shards(4).ioServers(1).start()) {
            assertThat(cluster.servers()).containsExactly("mds-1", "mds-2", "io-1");
            use(cluster, fs -> write(fs, "kept"));
            JsonNode file = new ObjectMapper().readTree(cluster.serversFile().toFile());
            assertThat(file.get("zookeeper").asText()).isEqualTo(cluster.zooKeeper());
            assertThat(file.get("servers")).hasSize(3).allSatisfy(server -> {
                String name = server.get("name").asText();
                assertThat(server.get("state").asText()).isEqualTo("runs");
                assertThat(server.get("pid").asLong())
                        .isEqualTo(cluster.pidOf(name).orElseThrow())
                        .isNotEqualTo(ProcessHandle.current().pid());
                assertThat(server.get("port").asInt())
                        .isEqualTo(cluster.addressOf(name).port());
                assertThat(Path.of(server.get("directory").asText())).isDirectory();
                assertThat(Path.of(server.get("log").asText())).isRegularFile();
            });
            awaitWell(cluster);

            second = cluster.addressOf(ServerId.mds(2));
            cluster.killServer(ServerId.mds(2));
            assertThat(cluster.isRunning("mds-2")).isFalse();
            assertThat(status(cluster))
                    .startsWith("1 ")
                    .contains("PROBLEM mds-2 at " + second + " does not ")
                    .containsPattern("PROBLEM mds-2 at .*; shards 1 and 3 are not served");
            use(cluster, fs -> assertThat(read(fs)).isEqualTo("kept"));

            cluster.startServer(ServerId.mds(2));
            assertThat(cluster.addressOf(ServerId.mds(2))).isEqualTo(second);
            awaitWell(cluster);
        }
        try (ProcessCluster again = ProcessCluster.in(directory).ioServers(1).start()) {
            assertThat(again.addressOf(ServerId.mds(2))).isEqualTo(second);
            use(again, fs -> assertThat(read(fs)).isEqualTo("kept"));
        }
    }

    @Test
    void anEnsembleOfThreeLosesOneAndThenAll() throws IOException {
        try (ProcessCluster cluster =
                ProcessCluster.in(directory).zooKeepers(3).ioServers(1).start()) {
            assertThat(cluster.servers()).startsWith(ZOOKEEPERS.toArray(String[]::new));
            use(cluster, fs -> write(fs, "kept"));

            cluster.killServer("zookeeper-1");
            // Identity, announcement and epoch: a start reads and writes in ZooKeeper.
            cluster.killServer("io-1");
            cluster.startServer("io-1");
            use(cluster, fs -> assertThat(read(fs)).isEqualTo("kept"));

            cluster.killServer("zookeeper-2");
            cluster.killServer("zookeeper-3");
            use(cluster, fs -> assertThat(read(fs)).isEqualTo("kept"));
            cluster.startServers(ZOOKEEPERS);
            cluster.stopServer("io-1");
            cluster.startServer("io-1");
            use(cluster, fs -> assertThat(read(fs)).isEqualTo("kept"));
        }
    }

    @Test
    void whatCannotStartIsTold() throws IOException {
        try (EmbeddedZooKeeper outside = EmbeddedZooKeeper.start(directory.resolveSibling("outside"), 0)) {
            ProcessCluster.Builder builder = ProcessCluster.in(directory)
                    .zooKeeper(outside.connectString())
                    .ioServers(1);
            builder.start().close();
            assertThat(directory.resolve("zookeeper")).doesNotExist();
            Path identity = directory.resolve("io-1/identity.json");
            Files.writeString(identity, Files.readString(identity).replace("io-1", "io-7"));
            assertThatThrownBy(builder::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "io-1 did not start; " + directory.toRealPath().resolve("log/io-1.log"))
                    .hasMessageContaining("belongs to server io-7, but this is server io-1");
            Files.writeString(identity, Files.readString(identity).replace("io-7", "io-1"));
            builder.start().close();
        }
    }

    @Test
    void eachServerSaysWhereItTellsOfItself() throws Exception {
        Process parent = new ProcessBuilder(JavaCommand.of(
                        List.of("local", "--processes", "--port", "0", "--io", "1", "--dir", directory.toString())))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolveSibling("parent.log").toFile()))
                .start();
        try (BufferedReader out = parent.inputReader()) {
            String line = out.readLine();
            while (line != null && !line.startsWith("READY stead://")) {
                line = out.readLine();
            }
            for (String server : List.of("mds-1", "io-1")) {
                String metrics = out.readLine();
                assertThat(metrics).matches("METRICS " + server + " at http://127\\.0\\.0\\.1:[0-9]+/metrics");
                HttpResponse<String> answer = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(metrics.substring(metrics.indexOf("http"))))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("server=\"" + server + "\"");
            }
            parent.destroy();
            assertThat(parent.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void serversEndWithTheProcessThatStartedThem() throws Exception {
        Process parent = new ProcessBuilder(JavaCommand.of(List.of(
                        "local", "--processes", "--port", "0", "--io", "1", "--json", "--dir", directory.toString())))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolveSibling("parent.log").toFile()))
                .start();
        List<ProcessHandle> children = new ArrayList<>();
        try (BufferedReader out = parent.inputReader()) {
            JsonNode said = new ObjectMapper().readTree(out.readLine());
            assertThat(out.readLine()).startsWith("READY stead://127.0.0.1:");
            for (JsonNode server : said.get("servers")) {
                children.add(ProcessHandle.of(server.get("pid").asLong()).orElseThrow());
            }
            assertThat(children).hasSize(2).allMatch(ProcessHandle::isAlive);
        } finally {
            parent.destroyForcibly();
        }
        for (ProcessHandle child : children) {
            child.onExit().get(60, TimeUnit.SECONDS);
        }
    }
}
