package io.steadfs.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.cluster.HomeShard;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.mds.peer.PeerShards;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.OpenSessionRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LocalClusterTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final FsPath FILE = new FsPath(List.of("a", "b", "file"));

    private final Path directory;

    LocalClusterTest(@TempDir Path directory) {
        this.directory = directory.resolve("cluster");
    }

    private LocalCluster start() throws IOException {
        return LocalCluster.in(directory).ioServers(2).start();
    }

    private interface Use {
        void of(SteadFs fs) throws IOException;
    }

    private static void use(LocalCluster cluster, Use use) throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(cluster.address()))) {
            use.of(connection.fs());
        }
    }

    private static void write(SteadFs fs, FsPath path, String text) throws IOException {
        try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT)) {
            byte[] bytes = text.getBytes(UTF_8);
            writer.write(bytes, 0, bytes.length);
        }
    }

    private static String read(SteadFs fs, FsPath path) throws IOException {
        try (FileReader reader = fs.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate(100);
            int count = reader.read(0, bytes);
            return new String(bytes.array(), 0, count, UTF_8);
        }
    }

    @Test
    void filesAndAddressesSurviveARestart() throws IOException {
        ServerAddress before;
        try (LocalCluster cluster = start()) {
            before = cluster.address();
            assertThat(cluster.uri()).hasToString("stead://" + before);
            assertThat(cluster.servers()).containsExactly(ServerId.mds(1), ServerId.io(1), ServerId.io(2));
            use(cluster, fs -> write(fs, FILE, "kept"));
        }
        try (LocalCluster cluster = start()) {
            assertThat(cluster.address()).isEqualTo(before);
            use(cluster, fs -> assertThat(read(fs, FILE)).isEqualTo("kept"));
        }
        // The earlier port is taken now: any other does.
        try (ServerSocket taken = new ServerSocket(before.port(), 1, InetAddress.getLoopbackAddress());
                LocalCluster cluster = start()) {
            assertThat(cluster.address().port()).isNotEqualTo(taken.getLocalPort());
            use(cluster, fs -> assertThat(read(fs, FILE)).isEqualTo("kept"));
        }
    }

    @Test
    void oneServerMayRestartWhileTheOthersServe() throws IOException {
        try (LocalCluster cluster = start()) {
            use(cluster, fs -> write(fs, FILE, "kept"));
            for (ServerId server : cluster.servers()) {
                cluster.stopServer(server);
                assertThatThrownBy(() -> cluster.stopServer(server)).hasMessage(server + " does not run");
                cluster.startServer(server);
                assertThatThrownBy(() -> cluster.startServer(server)).hasMessage(server + " runs already");
                use(cluster, fs -> assertThat(read(fs, FILE)).isEqualTo("kept"));
            }
        }
    }

    @Test
    void statusTellsWhatIsWrong() throws IOException {
        try (LocalCluster cluster = start()) {
            awaitWell(cluster);
            assertThat(status(cluster, "--json"))
                    .startsWith("0 {\"well\":true,")
                    .contains("\"messages.watching.STATUS\"");
            cluster.stopServer(ServerId.io(2));
            // Until mds-1 hears of it, it says that io-2 does not answer.
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(status(cluster))
                            .startsWith("1 ")
                            .contains("PROBLEM io-2 at 127.0.0.1:")
                            .contains("does not run"));
            cluster.stopServer(ServerId.mds(1));
            cluster.startServer(ServerId.io(2));
            cluster.startServer(ServerId.mds(1));
            awaitWell(cluster);
        }
    }

    /** mds-1 may hear a moment after the start that the other servers run. */
    private static void awaitWell(LocalCluster cluster) {
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(status(cluster)).startsWith("0 ").contains("all is well"));
    }

    /** Exit code and output. */
    private static String status(LocalCluster cluster, String... options) {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        String[] arguments = new String[options.length + 3];
        arguments[0] = "status";
        arguments[1] = "--uri";
        arguments[2] = cluster.uri().toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return command.execute(arguments) + " " + out;
    }

    /** A session whose home is the shard. */
    private static long sessionOf(int shard, int shards) {
        return LongStream.iterate(1, id -> id + 1)
                .filter(id -> HomeShard.of(id, shards) == shard % shards)
                .findFirst()
                .orElseThrow();
    }

    private static void open(LocalCluster cluster, Map<Integer, FsError> expected) throws IOException {
        ClusterMap[] map = new ClusterMap[1];
        use(cluster, fs -> map[0] = fs.clusterMap());
        EventLoops loops = EventLoops.open("test", Settings.defaults());
        try (NettyTransport client = new NettyTransport(
                loops, NettyOptions.from(Settings.defaults()), new MessageCounters(), new SystemClock())) {
            expected.forEach((shard, error) -> {
                Reply reply = new PeerShards(client, () -> map[0], 10_000)
                        .send(
                                shard,
                                Kind.OPEN_SESSION,
                                "open",
                                Caller.getDefaultInstance(),
                                OpenSessionRequest.newBuilder()
                                        .setSession(sessionOf(shard, map[0].getShardCount()))
                                        .build())
                        .join();
                assertThat(reply.error())
                        .as("shard %d: %s", shard, reply.header())
                        .isEqualTo(error);
            });
        } finally {
            loops.close();
        }
    }

    @Test
    void twoServersWithTwoShardsEach() throws IOException {
        ServerAddress first;
        try (LocalCluster cluster =
                LocalCluster.in(directory).mds(2).shards(4).ioServers(1).start()) {
            first = cluster.address();
            assertThat(cluster.servers()).containsExactly(ServerId.mds(1), ServerId.mds(2), ServerId.io(1));
            use(
                    cluster,
                    fs -> assertThat(fs.clusterMap().getShardsList())
                            .extracting(shard -> shard.getNumber() + " on " + shard.getServer())
                            .containsExactlyInAnyOrder("0 on 1", "1 on 2", "2 on 1", "3 on 2"));
            for (int shard = 0; shard < 4; shard++) {
                assertThat(directory.resolve("mds-" + (shard % 2 + 1)).resolve("shard-" + shard))
                        .isDirectory();
            }
            open(cluster, Map.of(0, FsError.OK, 1, FsError.OK, 2, FsError.OK, 3, FsError.OK, 4, FsError.UNREACHABLE));

            cluster.stopServer(ServerId.mds(2));
            open(cluster, Map.of(0, FsError.OK, 1, FsError.UNREACHABLE, 2, FsError.OK, 3, FsError.UNREACHABLE));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(status(cluster))
                            .startsWith("1 ")
                            .contains("PROBLEM mds-2 at 127.0.0.1:")
                            .containsPattern("PROBLEM mds-2 at .* does not run.*; shards 1 and 3 are not served")
                            .contains("answered")
                            .doesNotContain("PROBLEM shard 0"));
            cluster.startServer(ServerId.mds(2));
            open(cluster, Map.of(0, FsError.OK, 1, FsError.OK, 2, FsError.OK, 3, FsError.OK));
        }
        assertThatThrownBy(() -> LocalCluster.in(directory).mds(3).start())
                .hasMessageContaining("formatted with 4 shard(s) for 2 metadata server(s), not 4 for 3");
        try (LocalCluster again = LocalCluster.in(directory).ioServers(1).start()) {
            assertThat(again.address()).isEqualTo(first);
            assertThat(again.servers()).hasSize(3);
            open(again, Map.of(0, FsError.OK, 1, FsError.OK, 2, FsError.OK, 3, FsError.OK));
        }
    }

    @Test
    void whatIsInTheWayIsNamedAndLeavesNothingRunning() throws IOException {
        try (LocalCluster cluster = start()) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(MembershipException.class)
                    .hasMessage("data directory " + cluster.directory() + " is in use by another server");
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> LocalCluster.in(directory)
                            .ports(PortChoice.firstAt(taken.getLocalPort()))
                            .start())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
        Path file = Files.createFile(directory.resolveSibling("file"));
        assertThatThrownBy(() -> LocalCluster.in(file).start()).hasMessageContaining("is not a directory");
        Path identity = directory.resolve("io-1/identity.json");
        Files.writeString(identity, Files.readString(identity).replace("io-1", "io-7"));
        assertThatThrownBy(this::start).hasMessageContaining("belongs to server io-7, but this is server io-1");
        Files.writeString(identity, Files.readString(identity).replace("io-7", "io-1"));
        start().close();
    }
}
