package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<AutoCloseable> opened = new ArrayList<>();

    MembershipTest(@TempDir Path directory) {
        super(directory);
    }

    @AfterEach
    void closeAll() throws Exception {
        Collections.reverse(opened);
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private Membership open(ServerId server) throws Exception {
        return open(server, server.toString());
    }

    private Membership open(ServerId server, String name) throws Exception {
        DataDirectory data = DataDirectory.open(directory.resolve(name));
        opened.add(data);
        Membership membership = Membership.open(settings, server, data, false);
        opened.add(membership);
        return membership;
    }

    private static ServerAddress port(int port) {
        return new ServerAddress("127.0.0.1", port);
    }

    private static void await(Membership membership, Predicate<ClusterMap> property) throws Exception {
        assertThat(membership.await(property, PATIENCE))
                .as("map of %s in time: %s", membership.server(), membership.map())
                .isTrue();
    }

    private static List<String> servers(ClusterMap map) {
        return map.getServersList().stream()
                .map(server -> new ServerId(server.getRole(), server.getId())
                        + (server.getAlive() ? "+" : "-")
                        + server.getPort())
                .toList();
    }

    @Test
    void everyServerLearnsOfEveryOther() throws Exception {
        FileSystemFormat format = format();
        Membership mds = open(ServerId.mds(1));
        assertThat(mds.map().getEpoch()).isZero();
        mds.hostShard(0);
        // The new host counts it when its watch fires; otherwise announcing might count both at once.
        await(mds, map -> map.getEpoch() == 1);
        mds.announce(port(7001), "", 0, 0);
        Membership io2 = open(ServerId.io(2));
        Membership io1 = open(ServerId.io(1));
        io2.announce(port(7012), "rack-b", 1000, 900);
        io1.announce(port(7011), "rack-a", 2000, 1900);
        for (Membership one : List.of(mds, io1, io2)) {
            await(
                    one,
                    map -> map.getEpoch() == 4
                            && servers(map).equals(List.of("mds-1+7001", "io-1+7011", "io-2+7012"))
                            && map.getServers(1).getFreeBytes() > 0);
        }
        ClusterMap map = mds.map();
        assertThat(map.getFileSystem()).isEqualTo(format.fileSystem().toString());
        assertThat(map.getShardCount()).isEqualTo(1);
        assertThat(map.getShardsList())
                .containsExactly(
                        ClusterMap.Shard.newBuilder().setNumber(0).setServer(1).build());
        assertThat(map.getStripSize()).isEqualTo(1 << 20);
        assertThat(map.getWidth()).isEqualTo(4);
        assertThat(map.getBlockSize()).isEqualTo(128L << 20);
        assertThat(map.getServers(1).getRack()).isEqualTo("rack-a");
        assertThat(map.getServers(1).getCapacityBytes()).isEqualTo(2000);
        assertThat(map.getServers(1).getFreeBytes()).isEqualTo(1900);
    }

    @Test
    void spaceIsNewsButNoNewEpoch() throws Exception {
        format();
        Membership mds = open(ServerId.mds(1));
        Membership io = open(ServerId.io(1));
        mds.announce(port(7001), "", 0, 0);
        io.announce(port(7011), "", 2000, 1900);
        io.reportSpace(2000, 100);
        await(
                mds,
                map -> map.getEpoch() >= 2
                        && map.getServersCount() == 2
                        && map.getServers(1).getFreeBytes() == 100);
        assertThat(mds.map().getEpoch()).isEqualTo(2);
    }

    @Test
    void aLeavingServerIsCountedOnce() throws Exception {
        format();
        Membership mds1 = open(ServerId.mds(1));
        Membership mds2 = open(ServerId.mds(2));
        Membership io = open(ServerId.io(1));
        mds1.announce(port(7001), "", 0, 0);
        mds2.announce(port(7002), "", 0, 0);
        io.announce(port(7011), "", 0, 0);
        io.close();
        for (Membership mds : List.of(mds1, mds2)) {
            await(
                    mds,
                    map -> map.getEpoch() >= 4
                            && servers(map).equals(List.of("mds-1+7001", "mds-2+7002", "io-1-7011")));
        }
        // Whatever else the two would count they have counted when both have seen one more, real change.
        Membership io2 = open(ServerId.io(2));
        io2.announce(port(7012), "", 0, 0);
        for (Membership mds : List.of(mds1, mds2)) {
            await(mds, map -> map.getEpoch() >= 5 && servers(map).contains("io-2+7012"));
            assertThat(mds.map().getEpoch()).isEqualTo(5);
        }
    }

    @Test
    void aMovedServerIsCounted() throws Exception {
        format();
        Membership mds = open(ServerId.mds(1));
        Membership io = open(ServerId.io(1));
        mds.announce(port(7001), "", 0, 0);
        io.announce(port(7011), "", 0, 0);
        io.announce(port(7099), "", 0, 0);
        for (Membership one : List.of(mds, io)) {
            await(one, map -> map.getEpoch() == 3 && servers(map).equals(List.of("mds-1+7001", "io-1+7099")));
        }
        io.announce(port(7099), "", 0, 0);
        assertThat(io.map().getEpoch()).isEqualTo(3);
    }

    @Test
    void listenersHearEachNewMapInOrder() throws Exception {
        format();
        Membership mds = open(ServerId.mds(1));
        List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
        mds.listen(map -> {
            throw new IllegalStateException("a listener of the test that fails");
        });
        mds.listen(map -> epochs.add(map.getEpoch()));
        mds.announce(port(7001), "", 0, 0);
        await(mds, map -> map.getEpoch() == 1);
        Membership io = open(ServerId.io(1));
        io.announce(port(7011), "", 0, 0);
        await(mds, map -> map.getEpoch() == 2);
        mds.listen(map -> epochs.add(-1L));
        org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> epochs.contains(-1L));
        assertThat(epochs).startsWith(0L).contains(1L, 2L).endsWith(-1L);
        assertThat(epochs.subList(0, epochs.size() - 1)).isSorted();
    }

    @Test
    void anExpiredSessionIsReplaced() throws Exception {
        format();
        Membership mds = open(ServerId.mds(1));
        Membership io = open(ServerId.io(1));
        mds.announce(port(7001), "", 0, 0);
        io.announce(port(7011), "", 5, 4);
        for (Membership one : List.of(io, mds)) {
            long before = session(one);
            expire(one);
            org.awaitility.Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> session(one) != before && owner(one) == session(one));
        }
        await(mds, map -> servers(map).equals(List.of("mds-1+7001", "io-1+7011")));
        await(io, map -> servers(map).equals(List.of("mds-1+7001", "io-1+7011")));
    }

    private static long session(Membership membership) throws Exception {
        return membership.client().getZookeeperClient().getZooKeeper().getSessionId();
    }

    /** Session that owns the server's ephemeral node; 0 if there is none. */
    private long owner(Membership membership) throws Exception {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            org.apache.zookeeper.data.Stat stat = tree.client().checkExists().forPath(tree.alive(membership.server()));
            return stat == null ? 0 : stat.getEphemeralOwner();
        }
    }

    private static void expire(Membership membership) throws Exception {
        membership.client().getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
    }

    @Test
    void mapAndHandlesStandWhileZooKeeperRestarts() throws Exception {
        format();
        Membership mds = open(ServerId.mds(1));
        mds.hostShard(0);
        mds.announce(port(7001), "", 0, 0);
        Membership io = open(ServerId.io(1));
        io.announce(port(7011), "", 0, 0);
        SequenceBlocks sequence = io.sequence(1);
        await(mds, map -> servers(map).containsAll(List.of("mds-1+7001", "io-1+7011")));
        ClusterMap before = mds.map();
        zooKeeper().stop();
        org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> !mds.isConnected());
        assertThat(mds.map()).isEqualTo(before);
        assertThat(sequence.current()).isEqualTo(new SequenceBlock(0, 1, 101));
        sequence.used(90);
        zooKeeper().restart();
        org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> {
            sequence.used(90);
            return sequence.current().ceiling() == 201;
        });
        Membership io2 = open(ServerId.io(2));
        io2.announce(port(7012), "", 0, 0);
        await(mds, map -> servers(map).containsAll(List.of("mds-1+7001", "io-1+7011", "io-2+7012")));
    }

    @Test
    void aShardStaysWithItsHost() throws Exception {
        format();
        Membership mds1 = open(ServerId.mds(1));
        Membership mds2 = open(ServerId.mds(2));
        mds1.hostShard(0);
        mds1.hostShard(0);
        assertThatThrownBy(() -> mds2.hostShard(0))
                .isInstanceOf(MembershipException.class)
                .hasMessage("shard 0 is hosted by mds-1, not by mds-2");
    }

    @Test
    void aProcessThatWasKilledIsReplacedAtOnce() throws Exception {
        format();
        Membership first = open(ServerId.io(1));
        first.announce(port(7011), "", 0, 0);
        // The directory's lock is free although the session lives: so it looks after a kill.
        first.halt();
        ((DataDirectory) opened.get(0)).close();
        // That session goes on: whoever waited for its end would fail in the end.
        Membership second = open(ServerId.io(1));
        second.announce(port(7022), "", 0, 0);
        assertThat(servers(second.map())).containsExactly("io-1+7022");
    }

    @Test
    void twoProcessesAsOneServerAreRefused() throws Exception {
        format();
        Membership first = open(ServerId.io(1));
        first.announce(port(7011), "", 0, 0);
        // The same identity in a copied directory.
        java.nio.file.Files.createDirectories(directory.resolve("copied"));
        java.nio.file.Files.copy(directory.resolve("io-1/identity.json"), directory.resolve("copied/identity.json"));
        Membership second = open(ServerId.io(1), "copied");
        assertThatThrownBy(() -> second.announce(port(7022), "", 0, 0))
                .isInstanceOf(MembershipException.class)
                .hasMessage("another process runs as server io-1 at 127.0.0.1:7011");
        assertThat(servers(first.map())).containsExactly("io-1+7011");
    }

    @Test
    void aClosedMembershipSaysSo() throws Exception {
        format();
        Membership io = open(ServerId.io(1));
        io.close();
        assertThatThrownBy(() -> io.announce(port(7011), "", 0, 0)).hasMessage("membership of io-1 is closed");
        io.close();
    }
}
