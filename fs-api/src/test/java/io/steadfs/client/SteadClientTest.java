package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.util.LeakPresenceDetector;
import io.steadfs.client.call.Traces;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.PeerName;
import io.steadfs.hello.TestHello;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyServer;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocking client over real connections to small servers in memory. */
@Timeout(60)
class SteadClientTest {
    private static final Map<String, String> SETTINGS =
            Map.of("stead.client.list.page", "3", "stead.client.write.window", "512k", "stead.rpc.stop.timeout", "0");

    private final List<NettyServer> servers = new ArrayList<>();
    private final EventLoops loops = EventLoops.openPortable("test-servers", 2);
    private final MemoryShard shard = new MemoryShard(ClusterMap.getDefaultInstance());
    private SteadClient client;

    @BeforeEach
    void startServers() throws Exception {
        NettyServer mds = listen(TestHello.mds(1), shard);
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(1)
                .setShardCount(1)
                .setStripSize(64 * 1024)
                .setWidth(3);
        map.addShardsBuilder().setNumber(0).setServer(1);
        map.addServersBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(1)
                .setHost("127.0.0.1")
                .setPort(mds.address().port());
        for (int id = 1; id <= 3; id++) {
            NettyServer io = listen(TestHello.io(id), new MemoryIoServer(id, new Random(id), 0));
            map.addServersBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(id)
                    .setHost("127.0.0.1")
                    .setPort(io.address().port())
                    .setAlive(true);
        }
        shard.map = map.build();
        client = SteadClient.connect(
                Settings.of(SETTINGS),
                List.of(mds.address()),
                Caller.newBuilder().setUser("ann").build());
    }

    private NettyServer listen(PeerName name, RequestHandler handler) throws Exception {
        NettyServer server = NettyServer.listen(
                loops,
                "127.0.0.1",
                0,
                NettyOptions.from(Settings.of(SETTINGS)),
                handler,
                new MessageCounters(),
                new SystemClock(),
                TestHello.welcome(name));
        servers.add(server);
        return server;
    }

    @AfterEach
    void stopServers() {
        client.close();
        client.close();
        servers.forEach(NettyServer::close);
        loops.close();
        LeakPresenceDetector.check();
    }

    @Test
    void writesAndReads() throws Exception {
        byte[] bytes = SimulatedCluster.bytes(1, 5_000_000);
        FsPath path = FsPath.parse("f");
        try (FileWriter writer = client.create(path, CreateOptions.DEFAULT)) {
            writer.write(bytes, 0, 3_000_000);
            writer.hsync();
            writer.write(bytes, 3_000_000, 2_000_000);
            writer.hflush();
            assertThat(writer.position()).isEqualTo(bytes.length);
        }
        assertThat(client.stat(path).length()).isEqualTo(bytes.length);
        try (FileReader reader = client.open(path)) {
            ByteBuffer all = ByteBuffer.allocateDirect(bytes.length + 10);
            assertThat(reader.read(0, all)).isEqualTo(bytes.length);
            assertThat(all.flip()).isEqualTo(ByteBuffer.wrap(bytes));
            assertThat(reader.read(bytes.length, ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(reader.read(5, ByteBuffer.allocate(0))).isZero();
            List<CompletableFuture<Integer>> parts = new ArrayList<>();
            byte[] copy = new byte[bytes.length];
            for (int at = 0; at < bytes.length; at += 70_000) {
                parts.add(reader.readAsync(at, ByteBuffer.wrap(copy, at, Math.min(70_000, bytes.length - at))));
            }
            int sum = 0;
            for (CompletableFuture<Integer> part : parts) {
                sum += part.get(30, TimeUnit.SECONDS);
            }
            assertThat(sum).isEqualTo(bytes.length);
            assertThat(copy).isEqualTo(bytes);
        }
        assertThat(client.counters())
                .containsEntry("client.bytes.written", (long) bytes.length)
                .containsEntry("client.bytes.read", 2L * bytes.length);
    }

    @Test
    void writesOfSeveralThreadsGoInWhole() throws Exception {
        FsPath path = FsPath.parse("f");
        int pieces = 40;
        int size = 10_000;
        try (FileWriter writer = client.create(path, CreateOptions.DEFAULT)) {
            AtomicInteger next = new AtomicInteger();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
                        byte[] bytes = new byte[size];
                        java.util.Arrays.fill(bytes, (byte) piece);
                        try {
                            writer.write(bytes, 0, size);
                            writer.hflush();
                        } catch (FsException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> thread : threads) {
                thread.get(50, TimeUnit.SECONDS);
            }
        }
        ByteBuffer all = ByteBuffer.allocate(pieces * size);
        try (FileReader reader = client.open(path)) {
            assertThat(reader.read(0, all)).isEqualTo(pieces * size);
        }
        boolean[] seen = new boolean[pieces];
        for (int at = 0; at < all.capacity(); at++) {
            assertThat(all.get(at)).isEqualTo(all.get(at - at % size));
            seen[all.get(at)] = true;
        }
        assertThat(seen).doesNotContain(false);
    }

    @Test
    void refusalsAreExceptionsThatNameThePath() throws Exception {
        FsPath path = FsPath.parse("missing");
        FsException refusal = catchThrowableOfType(FsException.class, () -> client.stat(path));
        assertThat(refusal.error()).isEqualTo(FsError.NOT_FOUND);
        assertThat(refusal).hasMessage("NOT_FOUND: /missing does not exist");
        assertThat(client.find(path)).isEmpty();
        FileWriter writer = client.create(path, CreateOptions.DEFAULT);
        assertThatThrownBy(() -> client.create(path, CreateOptions.DEFAULT)).hasMessageContaining("ALREADY_EXISTS");
        writer.close();
        writer.close();
        assertThatThrownBy(() -> writer.write(new byte[1], 0, 1)).hasMessageContaining("closed");
    }

    @Test
    void aLookForAnAbsentNameMakesNoException() throws Exception {
        FsPath path = FsPath.parse("missing");
        assertThat(client.find(path)).isEmpty();
        Set<Class<? extends Throwable>> kinds =
                Set.of(FsException.class, CompletionException.class, ExecutionException.class);

        assertThat(MadeExceptions.during(() -> client.find(path), kinds)).isEmpty();
        assertThat(MadeExceptions.during(
                        () -> assertThatThrownBy(() -> client.stat(path)).isInstanceOf(FsException.class), kinds))
                .containsExactly("FsException");
    }

    @Test
    void aRefusalHasTheStackTraceOfTheCallerWhereOneIsWanted() throws Exception {
        FsPath path = FsPath.parse("missing");
        FsException traced = catchThrowableOfType(FsException.class, () -> client.stat(path));
        assertThat(traced.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(getClass().getName()));
        assertThat(traced.getCause()).isInstanceOf(FsException.class);
        try (SteadClient untraced = SteadClient.connect(
                Settings.of(SETTINGS),
                List.of(servers.get(0).address()),
                Caller.newBuilder().setUser("ann").build(),
                Traces.UNWANTED)) {
            List<FsException> thrown = List.of(
                    catchThrowableOfType(FsException.class, () -> untraced.stat(path)),
                    catchThrowableOfType(FsException.class, () -> untraced.open(path)),
                    catchThrowableOfType(FsException.class, () -> untraced.delete(path, true)));
            assertThat(thrown).allSatisfy(each -> {
                assertThat(each).hasMessageStartingWith("NOT_FOUND: /missing").hasNoCause();
                assertThat(each.getStackTrace()).isEmpty();
            });
        }
    }

    @Test
    void anErrorIsThrownByEveryCallButTheSecondClose() throws Exception {
        FileWriter writer = client.create(FsPath.parse("f"), CreateOptions.DEFAULT);
        writer.write(new byte[10], 0, 10);
        shard.expireSessions();
        assertThatThrownBy(writer::hflush).hasMessageContaining("SESSION_EXPIRED");
        assertThatThrownBy(() -> writer.write(new byte[10], 0, 10)).hasMessageContaining("SESSION_EXPIRED");
        assertThatThrownBy(writer::hsync).hasMessageContaining("SESSION_EXPIRED");
        assertThatThrownBy(writer::close).hasMessageContaining("SESSION_EXPIRED");
        writer.close();
    }

    @Test
    void listsInPages() throws Exception {
        for (int i = 0; i < 8; i++) {
            client.create(FsPath.parse("f" + i), CreateOptions.DEFAULT).close();
        }
        List<String> names = new ArrayList<>();
        for (Iterator<Entry> entries = client.list(FsPath.ROOT); entries.hasNext(); ) {
            names.add(entries.next().name());
        }
        assertThat(names).containsExactly("f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7");
        assertThat(client.listSorted(FsPath.ROOT)).hasSize(8);
        assertThat(client.counters()).containsEntry("messages.out.LIST", 6L);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        FsPath path = FsPath.parse("f");
        client.create(path, CreateOptions.DEFAULT).close();
        FsException refusal;
        synchronized (shard) { // which answers nobody meanwhile
            Thread.currentThread().interrupt();
            refusal = catchThrowableOfType(FsException.class, () -> client.stat(path));
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(refusal.error()).isEqualTo(FsError.CANCELLED);
        assertThat(refusal).hasCauseInstanceOf(InterruptedException.class);
        assertThat(client.stat(path).length()).isZero();
    }

    @Test
    void clientsShareThreadsUntilTheLastIsClosed() throws Exception {
        SteadClient second = SteadClient.connect(
                Settings.of(SETTINGS), List.of(servers.get(0).address()), Caller.getDefaultInstance());
        second.clusterMap();
        second.close();
        assertThat(client.clusterMap().getEpoch()).isEqualTo(1);
        assertThatThrownBy(() -> second.create(FsPath.parse("g"), CreateOptions.DEFAULT))
                .hasMessageContaining("closed");
    }
}
