package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What shards that join wait for, who ends an addition, and what earlier releases wrote. */
class AdditionsTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String AN_EARLIER_ALIVE =
            "{\"address\":\"127.0.0.1:7019\",\"rack\":\"\",\"capacityBytes\":0,\"freeBytes\":0,\"place\":\"\"}";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private ZooKeeperTree tree;
    private Membership mds;
    private Membership io;

    AdditionsTest(@TempDir Path directory) {
        super(directory);
    }

    @BeforeEach
    void twoServers() throws Exception {
        format();
        tree = ZooKeeperTree.connect(settings);
        opened.push(tree);
        mds = open(ServerId.mds(1));
        io = open(ServerId.io(1));
        mds.hostShard(0);
        mds.announce(new ServerAddress("127.0.0.1", 7001), "", 0, 0);
        io.announce(new ServerAddress("127.0.0.1", 7011), "", 0, 0);
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private Membership open(ServerId server) throws Exception {
        DataDirectory data = DataDirectory.open(directory.resolve(server.toString()));
        opened.push(data);
        Membership membership = Membership.open(settings, server, data, false);
        opened.push(membership);
        return membership;
    }

    private Additions additions() {
        return new Additions(tree);
    }

    private void awaitWaits(String... lines) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(additions().waitsFor(FileSystemFormat.read(tree)))
                        .containsExactly(lines));
    }

    private static void awaitCounts(Membership server, int serving, int all) throws Exception {
        assertThat(server.await(map -> ShardCounts.of(map).equals(new ShardCounts(1, serving, all)), PATIENCE))
                .as("map of %s: %s", server.server(), server.map())
                .isTrue();
    }

    private static int confirmed(Membership server) throws Exception {
        return server.confirmShards().get(20, TimeUnit.SECONDS);
    }

    @Test
    void shardsServeWhenAllCountThemAndTheirFencesAreLearnt() throws Exception {
        ClusterMap before = mds.map();
        assertThat(ShardCounts.of(before)).isEqualTo(new ShardCounts(1, 1, 1));
        additions().begin(List.of(1, 1));
        awaitCounts(io, 1, 3);
        assertThat(confirmed(io)).isEqualTo(3);
        awaitCounts(mds, 1, 3);
        assertThat(mds.format().addedFor(1)).containsExactly(1, 2);
        awaitWaits("mds-1 has not opened shard 1 yet", "mds-1 has not opened shard 2 yet");
        mds.hostShard(1);
        mds.hostShard(2);
        mds.shardIsReady(2);
        awaitWaits("shard 1 at mds-1 has not learnt the fences of the other shards yet");
        mds.shardIsReady(1);
        for (Membership one : List.of(mds, io)) {
            awaitCounts(one, 3, 3);
            assertThat(one.await(map -> map.getEpoch() > before.getEpoch() + 1, PATIENCE))
                    .as("clients of both steps fetch the map")
                    .isTrue();
        }
        assertThat(FileSystemFormat.read(tree).formatVersion()).isEqualTo(2);
        awaitWaits();
    }

    @Test
    void aServerThatDoesNotCountThemYetIsWaitedFor() throws Exception {
        CompletableFuture<Boolean> durable = new CompletableFuture<>();
        mds.learnShardsBy(() -> durable);
        additions().begin(List.of(1));
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitWaits("mds-1 does not count the new shards yet");
        awaitCounts(mds, 1, 2);
        durable.complete(true);
        awaitCounts(io, 2, 2);
    }

    @Test
    void learningThatFailsIsTriedAgain() throws Exception {
        Deque<CompletableFuture<?>> outcomes = new ArrayDeque<>(List.of(
                CompletableFuture.failedFuture(new IllegalStateException("a shard stopped")),
                CompletableFuture.completedFuture(true)));
        mds.learnShardsBy(outcomes::remove);
        additions().begin(List.of(1));
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitCounts(io, 2, 2);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void aServerOfAnEarlierReleaseIsWaitedFor() throws Exception {
        String path = tree.alive(ServerId.io(9));
        tree.client()
                .create()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(path, AN_EARLIER_ALIVE.getBytes(StandardCharsets.UTF_8));
        additions().begin(List.of(1));
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitWaits("io-9 does not count the new shards yet");
        tree.client().delete().forPath(path);
        awaitCounts(io, 2, 2);
    }

    /** The store of the host may be another one after a start. */
    @Test
    void aShardWhoseHostStartsAgainIsNotReady() throws Exception {
        CompletableFuture<Boolean> durable = new CompletableFuture<>();
        mds.learnShardsBy(() -> durable);
        additions().begin(List.of(1));
        mds.hostShard(1);
        mds.shardIsReady(1);
        mds.hostShard(1);
        durable.complete(true);
        awaitWaits("shard 1 at mds-1 has not learnt the fences of the other shards yet");
        assertThat(FileSystemFormat.read(tree).joining()).containsExactly(1);
        mds.shardIsReady(1);
        awaitCounts(io, 2, 2);
        mds.hostShard(1);
        assertThat(tree.read(tree.shard(1), ShardNode.class).orElseThrow().value())
                .as("a shard that serves stays so")
                .isEqualTo(ShardNode.chosen(1, true));
    }

    /** The membership does not need it, but it must not destroy anything by its old map. */
    @Test
    void aServerThatLostZooKeeperIsNotWaitedForAndCountsNothing() throws Exception {
        Membership lost = open(ServerId.io(2));
        lost.announce(new ServerAddress("127.0.0.1", 7012), "", 0, 0);
        lost.client().close();
        additions().begin(List.of(1));
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitCounts(io, 2, 2);
        assertThat(ShardCounts.of(lost.map()).all()).as("its map is old").isEqualTo(1);
        assertThatThrownBy(() -> confirmed(lost)).isInstanceOf(ExecutionException.class);
        lost.close();
        assertThatThrownBy(() -> confirmed(lost))
                .hasRootCauseInstanceOf(java.util.concurrent.RejectedExecutionException.class);
    }

    @Test
    void aServerThatStartsCountsThemAtOnce() throws Exception {
        additions().begin(List.of(1));
        Membership late = open(ServerId.io(2));
        assertThat(ShardCounts.of(late.map()).all()).isEqualTo(2);
        late.announce(new ServerAddress("127.0.0.1", 7012), "", 0, 0);
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitCounts(late, 2, 2);
    }

    @Test
    void oneAdditionAtATime() throws Exception {
        assertThatThrownBy(() -> additions().begin(List.of(7))).hasMessageContaining("mds-7 has never started");
        additions().begin(List.of(1));
        assertThatThrownBy(() -> additions().begin(List.of(1)))
                .hasMessageContaining("shards [1] are joining already")
                .hasMessageContaining("mds-1 has not opened shard 1 yet");
        mds.hostShard(1);
        mds.shardIsReady(1);
        awaitCounts(io, 2, 2);
        additions().begin(List.of(1));
        awaitCounts(io, 2, 3);
    }

    @Test
    void whatEarlierReleasesWroteIsRead() throws Exception {
        String earlier =
                "{\"formatVersion\":1,\"fileSystem\":\"c0ffee00-0000-4000-8000-000000000001\",\"shardCount\":3,"
                        + "\"metadataServers\":2,\"nameHash\":\"xxh64\",\"stripSizeBytes\":1048576,\"width\":4,"
                        + "\"blockSizeBytes\":134217728,\"superuser\":\"alice\",\"createdMillis\":1700000000000}";
        FileSystemFormat format =
                Json.decode(earlier.getBytes(StandardCharsets.UTF_8), FileSystemFormat.class, "the format");
        format.check(tree);
        assertThat(format.shards()).isEqualTo(new ShardCounts(3, 3, 3));
        assertThat(format.shardVersion()).isEqualTo(1);
        assertThat(Json.decode(
                                "{\"epoch\":7,\"alive\":{},\"shards\":{\"0\":1}}".getBytes(StandardCharsets.UTF_8),
                                EpochNode.class,
                                "the epoch")
                        .shardVersion())
                .isEqualTo(1);
        assertThat(Json.decode("{\"server\":2}".getBytes(StandardCharsets.UTF_8), ShardNode.class, "a shard"))
                .isEqualTo(ShardNode.chosen(2, true));
        assertThat(Json.decode(AN_EARLIER_ALIVE.getBytes(StandardCharsets.UTF_8), AliveNode.class, "a server")
                        .shardVersion())
                .isEqualTo(1);
    }

    @Test
    void impossibleAdditionsAreRefused() throws Exception {
        FileSystemFormat format = FileSystemFormat.read(tree);
        FileSystemFormat joining = format.with(new FileSystemFormat.Addition(List.of(1), false));
        joining.check(tree);
        joining.inService()
                .with(new FileSystemFormat.Addition(List.of(1), false))
                .check(tree);
        assertThatThrownBy(() -> joining.with(new FileSystemFormat.Addition(List.of(1), true))
                        .check(tree))
                .hasMessageContaining("impossible additions");
        assertThatThrownBy(() -> new FileSystemFormat.Addition(List.of(), false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FileSystemFormat.Addition(List.of(0), false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theHostOfAShardIsAliveUntilItEnds() throws Exception {
        String stranger = tree.allAlive() + "/mds-0";
        tree.client().create().forPath(stranger, AN_EARLIER_ALIVE.getBytes(StandardCharsets.UTF_8));
        assertThat(ShardsState.read(tree).shards())
                .extracting(ShardsState.Shard::alive)
                .containsExactly(true);
        mds.close();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ShardsState.read(tree).shards())
                        .extracting(ShardsState.Shard::alive)
                        .containsExactly(false));
    }
}
