package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on a real disk and a real socket. */
class MdsServerTest {
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
    private static final class Alone implements Neighbours {
        private Optional<ServerAddress> announced = Optional.empty();
        private boolean closed;

        @Override
        public ClusterMap map() {
            return FixedInputs.CLUSTER;
        }

        @Override
        public String superuser() {
            return "root";
        }

        @Override
        public HandleReserve host(int shard) {
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
        return new MdsServer(1, directory, "127.0.0.1", port, "127.0.0.1", neighbours, loops, Settings.defaults());
    }

    private CompletableFuture<Reply> send(MdsServer server, Kind kind, MessageLite body, long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
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
        Alone neighbours = new Alone();
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

        try (MdsServer server = start(new Alone(), 0)) {
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
            assertThat(server.stopped()).isEmpty();
        }
    }

    @Test
    void aPortInUseIsNamedAndNothingStaysOpen() throws IOException {
        try (MdsServer server = start(new Alone(), 0)) {
            Alone other = new Alone();
            int port = server.address().port();
            assertThatThrownBy(() -> new MdsServer(
                            2,
                            directory.resolve("other"),
                            "127.0.0.1",
                            port,
                            "127.0.0.1",
                            other,
                            loops,
                            Settings.defaults()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
            assertThat(other.closed).isTrue();
        }
        start(new Alone(), 0).close();
    }

    @Test
    void aDirectoryInUseIsNamed() throws IOException {
        try (MdsServer server = start(new Alone(), 0)) {
            assertThat(server.address().port()).isPositive();
            assertThatThrownBy(() -> start(new Alone(), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(directory.resolve("shard-0").toString());
        }
    }
}
