package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.hello.Welcome;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.store.mark.MemoryMark;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.ClusterMapRequest;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on a real disk and a real socket. */
class MdsServerTest {
    private static final Settings SETTINGS = Settings.of(Map.of("stead.metrics.port", "0"));
    private static final long SESSION = 0x1234;

    private final Path directory;

    private final EventLoops loops = EventLoops.open("test", Settings.defaults());
    private final NettyTransport client =
            new NettyTransport(loops, NettyOptions.from(Settings.defaults()), new MessageCounters(), new SystemClock());

    MdsServerTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        client.close();
        loops.close();
    }

    /** Neighbours of a server that stands alone. */
    private static final class Alone extends StillNeighbours {
        private final SortedSet<Integer> shards;
        private Optional<ServerAddress> announced = Optional.empty();
        private boolean closed;

        Alone(Integer... shards) {
            this.shards = new TreeSet<>(List.of(shards));
        }

        @Override
        public ClusterMap map() {
            return FixedInputs.CLUSTER;
        }

        @Override
        public SortedSet<Integer> shards() {
            return shards;
        }

        @Override
        public CompletableFuture<Integer> confirmShards() {
            return CompletableFuture.completedFuture(FixedInputs.CLUSTER.getShardCount());
        }

        @Override
        public boolean isJoining(int shard) {
            return false;
        }

        @Override
        public void ready(int shard) {
            throw new AssertionError("shard " + shard + " joins nothing");
        }

        @Override
        public void learnShardsBy(Supplier<CompletableFuture<?>> learning) {}

        @Override
        public List<String> problems() {
            return List.of();
        }

        @Override
        public Welcome welcome() {
            return TestHello.welcome(TestHello.mds(1));
        }

        @Override
        public String superuser() {
            return "root";
        }

        @Override
        public ShardPlace claim(int shard) {
            return new ShardPlace(1, true, 0, false, false, 0);
        }

        @Override
        public MarkPlace marks(int shard) {
            return new MemoryMark();
        }

        @Override
        public AcceptedLoss acceptedLoss() {
            return AcceptedLoss.NONE;
        }

        @Override
        public HandleReserve reserve(int shard) {
            return new HandleReserve() {
                @Override
                public Block block() {
                    return new Block(0, 1, Handle.MAX_SEQUENCE);
                }

                @Override
                public void used(long next) {}
            };
        }

        @Override
        public void announce(ServerAddress address) {
            announced = Optional.of(address);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private MdsServer start(Alone neighbours, int port) throws IOException {
        return new MdsServer(1, directory, "127.0.0.1", port, "127.0.0.1", neighbours, loops, SETTINGS);
    }

    private CompletableFuture<Reply> send(MdsServer server, Kind kind, MessageLite body, long id) {
        return send(server, 0, kind, body, id);
    }

    /** @param headerShard number of the shard plus 1, or 0 */
    private CompletableFuture<Reply> send(MdsServer server, int headerShard, Kind kind, MessageLite body, long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setShard(headerShard)
                .setSession(SESSION)
                .setRequestId(id)
                .setLowestUnanswered(Math.min(id, 1))
                .setCaller(Caller.newBuilder().setUser("root"))
                .build();
        return client.send(server.address(), new Request(kind, header, body, Payload.EMPTY), 10_000);
    }

    private static CreateRequest create(String path) {
        return CreateRequest.newBuilder()
                .setLocation(Location.newBuilder().setPath(path))
                .setMode(0644)
                .build();
    }

    @Test
    void servesAndFindsEverythingAgainAfterARestart() throws IOException {
        Alone neighbours = new Alone(0);
        CreateReply made;
        try (MdsServer server = start(neighbours, 0)) {
            assertThat(neighbours.announced).contains(server.address());
            ClusterMapReply map =
                    (ClusterMapReply) send(server, Kind.CLUSTER_MAP, ClusterMapRequest.getDefaultInstance(), 0)
                            .join()
                            .body();
            assertThat(map.getMap()).isEqualTo(FixedInputs.CLUSTER);
            Reply opened = send(
                            server,
                            Kind.OPEN_SESSION,
                            OpenSessionRequest.newBuilder().setSession(SESSION).build(),
                            0)
                    .join();
            assertThat(opened.error()).isEqualTo(FsError.OK);
            assertThat(opened.header().getEpoch()).isEqualTo(7);
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                replies.add(send(server, Kind.CREATE, create("f" + i), i));
            }
            assertThat(replies)
                    .allSatisfy(reply -> assertThat(reply.join().error()).isEqualTo(FsError.OK));
            made = (CreateReply) replies.get(0).join().body();
            StatusReply status = (StatusReply) send(server, Kind.STATUS, StatusRequest.getDefaultInstance(), 0)
                    .join()
                    .body();
            assertThat(status.getCountersMap())
                    .containsEntry("messages.in.CREATE", 200L)
                    .containsEntry("requests.decided", 202L);
            assertThat(status.getCountersMap().get("log.fsyncs"))
                    .isEqualTo(status.getCountersMap().get("log.batches"))
                    .isLessThan(202L);
            assertThat(status.getProblemsList()).isEmpty();
        }
        assertThat(neighbours.closed).isTrue();

        try (MdsServer server = start(new Alone(0), 0)) {
            assertThat(send(server, Kind.CREATE, create("f1"), 1).join().body())
                    .as("the recorded reply")
                    .isEqualTo(made);
            assertThat(send(server, Kind.CREATE, create("f1"), 201).join().error())
                    .isEqualTo(FsError.ALREADY_EXISTS);
            ListReply list = (ListReply) send(server, Kind.LIST, ListRequest.getDefaultInstance(), 0)
                    .join()
                    .body();
            assertThat(list.getEntriesCount()).isEqualTo(200);
            assertThat(list.getAttributes().getHandle()).isEqualTo(Handle.ROOT.value());
            assertThat(server.troubles()).isEmpty();
        }
    }

    @Test
    void shardsOfOneProcessHaveStoresOfTheirOwn() throws IOException {
        OpenSessionRequest open =
                OpenSessionRequest.newBuilder().setSession(SESSION).build();
        try (MdsServer server = start(new Alone(0, 2, 5), 0)) {
            assertThat(server.shards()).containsExactly(0, 2, 5);
            assertThat(send(server, 1, Kind.OPEN_SESSION, open, 0).join().error())
                    .isEqualTo(FsError.OK);
            assertThat(send(server, 6, Kind.OPEN_SESSION, open, 0).join().error())
                    .as("the session's home is shard 0, says shard 5")
                    .isEqualTo(FsError.NOT_OWNER);
            assertThat(send(server, 1, Kind.CREATE, create("f"), 1).join().error())
                    .isEqualTo(FsError.OK);
            Reply elsewhere = send(server, 4, Kind.OPEN_SESSION, open, 0).join();
            assertThat(elsewhere.error()).isEqualTo(FsError.NOT_OWNER);
            assertThat(elsewhere.header().getMessage()).isEqualTo("mds-1 does not host shard 3");
            assertThat(elsewhere.header().getEpoch()).isEqualTo(7);
            Reply unnamed = send(server, 0, Kind.CREATE, create("g"), 2).join();
            assertThat(unnamed.error()).isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(unnamed.header().getMessage()).contains("CREATE").contains("[0, 2, 5]");
            assertThat(send(server, 0, Kind.CLUSTER_MAP, ClusterMapRequest.getDefaultInstance(), 0)
                            .join()
                            .error())
                    .isEqualTo(FsError.OK);

            StatusReply status = (StatusReply) send(server, 0, Kind.STATUS, StatusRequest.getDefaultInstance(), 0)
                    .join()
                    .body();
            assertThat(status.getCountersMap())
                    .containsEntry("messages.in.OPEN_SESSION", 3L)
                    .containsEntry("refused.NOT_OWNER", 2L)
                    .containsEntry("refused.INVALID_ARGUMENT", 1L)
                    .doesNotContainKeys("refused.OK", "refused.BUSY")
                    .containsEntry("shard.0.requests.decided", 3L)
                    .containsEntry("shard.2.requests.decided", 1L);
            assertThat(status.getCountersMap().get("requests.decided"))
                    .isEqualTo(4 + status.getCountersMap().getOrDefault("shard.5.requests.decided", 0L));
            assertThat(status.getGaugesMap())
                    .containsEntry("shards.hosted", 3L)
                    .containsEntry("connections.open", 1L)
                    .containsEntry("requests.working", 1L)
                    .containsEntry("longreads.waiting", 0L)
                    .containsKeys("heap.used.bytes", "shard.2.queue.length")
                    .doesNotContainKey("shard.2.heap.used.bytes");
            assertThat(status.getProblemsList()).isEmpty();
            StatusReply one = (StatusReply) send(server, 6, Kind.STATUS, StatusRequest.getDefaultInstance(), 0)
                    .join()
                    .body();
            assertThat(one.getCountersMap())
                    .containsEntry(
                            "requests.decided", status.getCountersMap().getOrDefault("shard.5.requests.decided", 0L))
                    .doesNotContainKey("shard.5.requests.decided");
        }
        for (int shard : new int[] {0, 2, 5}) {
            assertThat(directory.resolve("shard-" + shard)).isDirectory();
        }
        try (MdsServer server = start(new Alone(0, 2, 5), 0)) {
            ListReply list = (ListReply) send(server, 1, Kind.LIST, ListRequest.getDefaultInstance(), 0)
                    .join()
                    .body();
            assertThat(list.getEntriesCount()).isEqualTo(1);
        }
    }

    @Test
    void aPortInUseIsNamedAndNothingStaysOpen() throws IOException {
        try (MdsServer server = start(new Alone(0), 0)) {
            Alone other = new Alone(0);
            int port = server.address().port();
            assertThatThrownBy(() -> new MdsServer(
                            2, directory.resolve("other"), "127.0.0.1", port, "127.0.0.1", other, loops, SETTINGS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
            assertThat(other.closed).isTrue();
        }
        start(new Alone(0), 0).close();
    }

    @Test
    void aDirectoryInUseIsNamed() throws IOException {
        try (MdsServer server = start(new Alone(0), 0)) {
            assertThat(server.address().port()).isPositive();
            assertThatThrownBy(() -> start(new Alone(0), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(directory.resolve("shard-0").toString());
        }
    }
}
