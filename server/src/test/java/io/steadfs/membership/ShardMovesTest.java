package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a move, who may make them, and what is left of earlier moves. */
class ShardMovesTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int OWNER = Handle.shardOwner(0);
    private static final ServerId HOST = ServerId.mds(1);
    private static final ServerId OTHER = ServerId.mds(2);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private ZooKeeperTree tree;
    private Membership host;
    private Membership other;

    ShardMovesTest(@TempDir Path directory) {
        super(directory);
    }

    @BeforeEach
    void twoServers() throws Exception {
        format();
        tree = ZooKeeperTree.connect(settings);
        opened.push(tree);
        host = open(HOST, 7001);
        other = open(OTHER, 7002);
        assertThat(host.hostShard(0)).isEqualTo(new ShardPlace(1, true, 0, false, false, 0));
        awaitHost(other, 1);
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private Membership open(ServerId server, int port) throws Exception {
        DataDirectory data = DataDirectory.open(directory.resolve(server.toString()));
        opened.push(data);
        Membership membership = Membership.open(settings, server, data, false);
        opened.push(membership);
        membership.announce(new ServerAddress("127.0.0.1", port), "", 0, 0);
        return membership;
    }

    private ShardMoves moves() {
        return new ShardMoves(tree);
    }

    private ShardsState.Shard shown() throws Exception {
        return ShardsState.read(tree).shards().get(0);
    }

    private static void awaitHost(Membership server, int number) throws Exception {
        assertThat(server.await(map -> ShardAddresses.host(map, 0).equals(OptionalInt.of(number)), PATIENCE))
                .as("map of %s: %s", server.server(), server.map())
                .isTrue();
    }

    private static void awaitPlace(Membership server, ShardPlace place) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(server.shardPlaces()).containsEntry(0, place));
    }

    /** Does the steps of a whole move, without a store. */
    private static void moveAll(ShardPlace begun, Membership from, Membership to) throws Exception {
        int move = begun.move();
        from.giveShard(0, to.server().number(), move);
        to.adoptSequence(OWNER, from.stopReserving(OWNER));
        assertThat(to.takeShard(0, move)).isPresent();
        from.forgetSequence(OWNER);
        to.hostShard(0);
        to.shardIsOpen(0);
    }

    @Test
    void aMoveGoesStepByStep() throws Exception {
        ClusterMap before = host.map();
        ShardPlace begun = moves().begin(0, OTHER);
        assertThat(begun).isEqualTo(new ShardPlace(1, true, 2, false, false, 1));
        assertThat(FileSystemFormat.read(tree).formatVersion()).isEqualTo(FileSystemFormat.VERSION);
        assertThat(ShardsState.read(tree).waitsFor()).containsExactly("mds-2 copies shard 0 from mds-1");
        awaitPlace(host, begun);
        awaitPlace(other, begun);
        host.hostShard(0);
        assertThatThrownBy(() -> other.hostShard(0)).hasMessageContaining("hosted by mds-1");
        assertThat(other.takeShard(0, begun.move())).as("what was not given").isEmpty();

        ShardPlace given = host.giveShard(0, 2, begun.move());
        assertThat(given).isEqualTo(new ShardPlace(1, true, 2, true, false, 2));
        assertThat(given.move()).isEqualTo(begun.move());
        assertThat(host.giveShard(0, 2, begun.move())).as("a second time").isEqualTo(given);
        assertThat(ShardsState.read(tree).waitsFor())
                .containsExactly("mds-2 copies the rest of shard 0 from mds-1; the shard is stopped");
        assertThatThrownBy(() -> host.hostShard(0)).hasMessageContaining("was given by mds-1 to mds-2");
        awaitHost(other, 1);

        assertThat(other.takeShard(0, begun.move())).hasValue(3);
        assertThat(other.takeShard(0, begun.move())).as("a second time").hasValue(3);
        for (Membership one : List.of(host, other)) {
            awaitHost(one, 2);
            assertThat(one.map().getEpoch()).isGreaterThan(before.getEpoch());
        }
        assertThatThrownBy(() -> host.hostShard(0)).hasMessageContaining("hosted by mds-2");
        assertThat(shown().moves()).isTrue();
        assertThat(ShardsState.read(tree).waitsFor()).containsExactly("mds-2 has not opened shard 0 yet");
        assertThat(other.hostShard(0)).isEqualTo(new ShardPlace(2, false, 0, false, true, 3));
        other.shardIsOpen(0);
        other.shardIsOpen(0);
        assertThat(tree.read(tree.shard(0), ShardNode.class).orElseThrow())
                .isEqualTo(new Versioned<>(new ShardNode(2, true, 0, false, true), 4));
        assertThat(ShardsState.read(tree).areSettled()).isTrue();
        assertThat(ShardsState.read(tree).waitsFor()).isEmpty();
        awaitPlace(host, new ShardPlace(2, true, 0, false, true, 4));
    }

    @Test
    void aShardMovesBack() throws Exception {
        moveAll(moves().begin(0, OTHER), host, other);
        moveAll(moves().begin(0, HOST), other, host);
        awaitHost(other, 1);
        assertThat(host.confirmPlace(0)).isEqualTo(new ShardPlace(1, true, 0, false, true, 8));
    }

    @Test
    void handlesGoOnInTheSameIncarnation() throws Exception {
        SequenceBlock first = host.sequence(OWNER).current();
        ShardPlace begun = moves().begin(0, OTHER);
        moveAll(begun, host, other);
        SequenceBlock second = other.sequence(OWNER).current();
        assertThat(second.incarnation()).isEqualTo(first.incarnation());
        assertThat(second.first()).isGreaterThanOrEqualTo(first.ceiling());
        moveAll(moves().begin(0, HOST), other, host);
        SequenceBlock third = host.sequence(OWNER).current();
        assertThat(third.incarnation()).isEqualTo(first.incarnation());
        assertThat(third.first()).isGreaterThanOrEqualTo(second.ceiling());
    }

    /** The old host must not raise the ceiling after the other one has its record. */
    @Test
    void theOldHostReservesNothingMore() throws Exception {
        SequenceBlocks reserving = host.sequence(OWNER);
        ShardPlace begun = moves().begin(0, OTHER);
        host.giveShard(0, 2, begun.move());
        SequenceRecord record = host.stopReserving(OWNER);
        reserving.used(reserving.current().ceiling());
        assertThat(host.stopReserving(OWNER)).isEqualTo(record);
        SequenceNode node = tree.read(tree.sequence(OWNER), SequenceNode.class)
                .orElseThrow()
                .value();
        assertThat(node.recorded()).isEqualTo(record);
    }

    @Test
    void aCancelledMoveIsNotTaken() throws Exception {
        ShardPlace begun = moves().begin(0, OTHER);
        host.giveShard(0, 2, begun.move());
        assertThat(moves().begin(0, HOST)).isEqualTo(new ShardPlace(1, false, 0, false, false, 3));
        assertThat(other.takeShard(0, begun.move())).isEmpty();
        assertThat(shown().moves()).as("it is to be opened again").isTrue();
        host.hostShard(0);
        host.shardIsOpen(0);
        assertThat(ShardsState.read(tree).areSettled()).isTrue();
        assertThatThrownBy(() -> host.giveShard(0, 2, begun.move())).hasMessageContaining("is not in move 1 to mds-2");
    }

    /** Of two moves to the same server, and of two to different ones. */
    @Test
    void whatIsLeftOfAnEarlierMoveDoesNothing() throws Exception {
        Membership third = open(ServerId.mds(3), 7003);
        ShardPlace first = moves().begin(0, OTHER);
        moves().begin(0, HOST);
        ShardPlace second = moves().begin(0, OTHER);
        assertThat(second.move()).isNotEqualTo(first.move());
        assertThatThrownBy(() -> host.giveShard(0, 2, first.move())).isInstanceOf(MembershipException.class);
        assertThat(host.confirmPlace(0)).isEqualTo(second);
        host.giveShard(0, 2, second.move());
        assertThat(other.takeShard(0, first.move())).isEmpty();

        moves().begin(0, HOST);
        host.shardIsOpen(0);
        ShardPlace last = moves().begin(0, ServerId.mds(3));
        assertThatThrownBy(() -> host.giveShard(0, 2, second.move())).isInstanceOf(MembershipException.class);
        assertThatThrownBy(() -> host.giveShard(0, 2, last.move())).isInstanceOf(MembershipException.class);
        host.giveShard(0, 3, last.move());
        assertThat(other.takeShard(0, second.move())).isEmpty();
        assertThat(other.takeShard(0, last.move())).isEmpty();
        assertThat(third.takeShard(0, last.move())).isPresent();
        awaitHost(host, 3);
    }

    @Test
    void whatCannotMoveIsRefused() throws Exception {
        assertThatThrownBy(() -> moves().begin(1, OTHER)).hasMessageContaining("there is no shard 1");
        assertThatThrownBy(() -> moves().begin(-1, OTHER)).hasMessageContaining("there is no shard -1");
        assertThatThrownBy(() -> moves().begin(0, HOST)).hasMessageContaining("shard 0 is at mds-1 already");
        assertThatThrownBy(() -> moves().begin(0, ServerId.mds(9))).hasMessageContaining("mds-9 has never started");
        Membership third = open(ServerId.mds(3), 7003);
        third.close();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> tree.stat(tree.alive(ServerId.mds(3))).isEmpty());
        assertThatThrownBy(() -> moves().begin(0, ServerId.mds(3))).hasMessageContaining("mds-3 is not alive");
        assertThat(FileSystemFormat.read(tree).formatVersion())
                .as("nothing was begun")
                .isEqualTo(FileSystemFormat.FIRST_VERSION);

        ShardPlace begun = moves().begin(0, OTHER);
        assertThat(moves().begin(0, OTHER)).as("the same once more").isEqualTo(begun);
        open(ServerId.mds(4), 7004);
        assertThatThrownBy(() -> moves().begin(0, ServerId.mds(4)))
                .hasMessageContaining("shard 0 moves from mds-1 to mds-2 already");
        moves().begin(0, HOST);
        new Additions(tree).begin(List.of(1));
        assertThatThrownBy(() -> moves().begin(0, OTHER)).hasMessageContaining("shards [1] are joining");
    }

    @Test
    void whoDoesNotReachZooKeeperNeitherGivesNorTakes() throws Exception {
        ShardPlace begun = moves().begin(0, OTHER);
        host.client().close();
        assertThatThrownBy(() -> host.giveShard(0, 2, begun.move()))
                .isInstanceOfAny(MembershipException.class, IllegalStateException.class);
        assertThat(moves().confirm(0)).isEqualTo(begun);
        other.client().close();
        assertThatThrownBy(() -> other.takeShard(0, begun.move()))
                .isInstanceOfAny(MembershipException.class, IllegalStateException.class);
        assertThat(moves().confirm(0)).isEqualTo(begun);
    }

    /** The host writes it anew as soon as it starts. A move that was not over is cancelled by that. */
    @Test
    void aNodeThatCannotBeReadIsWrittenAnew() throws Exception {
        ShardPlace begun = moves().begin(0, OTHER);
        host.giveShard(0, 2, begun.move());
        tree.client().setData().forPath(tree.shard(0), "nonsense".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> other.takeShard(0, begun.move())).isInstanceOf(UnreadableNodeException.class);
        assertThatThrownBy(() -> other.hostShard(0)).hasMessageContaining("hosted by mds-1");
        host.hostShard(0);
        assertThat(host.confirmPlace(0)).isEqualTo(new ShardPlace(1, true, 0, false, true, 4));
        assertThat(other.takeShard(0, begun.move())).isEmpty();

        moveAll(moves().begin(0, OTHER), host, other);
        tree.client().setData().forPath(tree.shard(0), "nonsense".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> host.hostShard(0)).hasMessageContaining("hosted by mds-2");
        assertThat(other.hostShard(0).host()).isEqualTo(2);
        assertThat(other.confirmPlace(0).moved()).isTrue();
    }

    @Test
    void impossibleNodesAreRefused() {
        for (String text : List.of(
                "{\"server\":0}",
                "{\"server\":1,\"movesTo\":1}",
                "{\"server\":1,\"movesTo\":40000}",
                "{\"server\":1,\"movesTo\":-1}",
                "{\"server\":1,\"given\":true}")) {
            assertThatThrownBy(() -> Json.decode(
                            text.getBytes(StandardCharsets.UTF_8), ShardNode.class, "/shards/0 in ZooKeeper"))
                    .isInstanceOf(UnreadableNodeException.class)
                    .hasMessageContaining("/shards/0 in ZooKeeper");
        }
    }
}
