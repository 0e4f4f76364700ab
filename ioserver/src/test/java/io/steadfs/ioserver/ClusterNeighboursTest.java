package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.handle.Handle;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An IO server that finds the others through a real ZooKeeper. */
final class ClusterNeighboursTest {
    private static final int SERVER = 7;

    @Test
    void aServerJoinsAndComesBackWithNewHandles(@TempDir Path directory) throws Exception {
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0)) {
            // Fewer numbers at a time than there are slots: the server has to ask for more all the time.
            Settings settings = Settings.of(Map.of(
                    "stead.metrics.port",
                    "0",
                    ZooKeeperTree.CONNECT.name(),
                    "127.0.0.1:" + zooKeeper.port(),
                    Space.RESERVE.name(),
                    "0",
                    "stead.sequence.block",
                    "200",
                    SecretFile.FILE.name(),
                    TestSecret.in(directory)));
            try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
                FileSystemFormat.fresh(settings, "root", 1).write(tree, false);
            }
            Path home = directory.resolve("io-7");
            try (EventLoops loops = EventLoops.open("test", settings);
                    NettyTransport transport = new NettyTransport(
                            loops, NettyOptions.from(settings), new MessageCounters(), new SystemClock())) {
                Set<Handle> made = new HashSet<>();
                for (int process = 0; process < 3; process++) {
                    ClusterNeighbours neighbours =
                            ClusterNeighbours.join(SERVER, home, "r1", Allowed.NOTHING, settings);
                    try (IoServer server =
                            new IoServer(SERVER, home, "127.0.0.1", 0, "127.0.0.1", neighbours, loops, settings)) {
                        assertThat(neighbours.map().orElseThrow().getServersList())
                                .singleElement()
                                .satisfies(self -> {
                                    assertThat(self.getRole()).isEqualTo(ClusterMap.Role.IO);
                                    assertThat(self.getId()).isEqualTo(SERVER);
                                    assertThat(self.getPort())
                                            .isEqualTo(server.address().port());
                                    assertThat(self.getRack()).isEqualTo("r1");
                                    assertThat(self.getFreeBytes()).isPositive();
                                });
                        assertThatThrownBy(() -> ClusterNeighbours.join(SERVER, home, "r1", Allowed.NOTHING, settings))
                                .isInstanceOf(MembershipException.class)
                                .hasMessageContaining("in use");
                        for (int index = 0; index < 200; index++) {
                            Handle handle = make(transport, server, process * 1000 + index);
                            assertThat(made.add(handle)).as("%s again", handle).isTrue();
                        }
                    }
                }
            }
        }
    }

    /** A first write; repeated while the server waits for numbers. */
    private static Handle make(NettyTransport transport, IoServer server, int index) throws Exception {
        byte[] bytes = IoRig.bytes(index, 10);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            Reply reply = transport
                    .send(
                            server.address(),
                            new Request(
                                    Kind.WRITE,
                                    RequestHeader.newBuilder()
                                            .setKind(Kind.WRITE.number())
                                            .build(),
                                    IoRig.write(Handle.NONE, 0, bytes, false)
                                            .setIndex(index)
                                            .build(),
                                    new Payload.Bytes(Unpooled.wrappedBuffer(bytes))),
                            20_000)
                    .get(20, TimeUnit.SECONDS);
            if (reply.isOk() || System.nanoTime() > deadline) {
                return new Handle(IoRig.written(reply).getDatafile());
            }
        }
    }
}
