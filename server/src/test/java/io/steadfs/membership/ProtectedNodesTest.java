package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that everybody reads and only servers of the file system change. */
class ProtectedNodesTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    ProtectedNodesTest(@TempDir Path directory) {
        super(directory);
    }

    private static CuratorFramework stranger() throws InterruptedException {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(zooKeeper().getConnectString(), new RetryOneTime(1));
        client.start();
        client.blockUntilConnected();
        return client;
    }

    private Path secret() {
        return settings.get(SecretFile.FILE);
    }

    private Settings withSecretOf(String name) throws Exception {
        return settings.with(
                Map.of(SecretFile.FILE.name(), TestSecret.in(Files.createDirectories(directory.resolve(name)))));
    }

    @Test
    void aStrangerReadsAndChangesNothing() throws Exception {
        format();
        try (CuratorFramework stranger = stranger();
                DataDirectory data = DataDirectory.open(directory.resolve("mds-1"));
                Membership server = Membership.open(settings, ServerId.mds(1), data, false)) {
            server.hostShard(0);
            server.announce(new ServerAddress("h", 1), "", 0, 0);
            var unused = server.sequence(0x8000);
            server.leaveFigures(3, 2, 1, 1_700_000_000_000L);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> server.client().checkExists().forPath(root("figures/mds-1")) != null);
            List<NodeReport> nodes;
            try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
                nodes = NodeReport.all(tree);
            }
            assertThat(nodes)
                    .extracting(NodeReport::path)
                    .contains(
                            root("format"),
                            root("epoch"),
                            root("servers/mds-1"),
                            root("alive/mds-1"),
                            root("shards/0"),
                            root("figures"),
                            root("figures/mds-1"),
                            root("sequence/8000"));
            assertThat(nodes)
                    .allMatch(NodeReport::isProtected)
                    .allMatch(node -> node.wrong().isEmpty());
            for (NodeReport node : nodes) {
                String path = node.path();
                assertThat(stranger.getData().forPath(path)).as(path).isNotNull();
                assertThatThrownBy(() -> stranger.setData().forPath(path, new byte[] {1, 2, 3}))
                        .as("set %s", path)
                        .isInstanceOf(KeeperException.NoAuthException.class);
                assertThatThrownBy(() -> stranger.create().forPath(path + "/io-9", new byte[] {1, 2, 3}))
                        .as("create below %s", path)
                        .isInstanceOf(KeeperException.class)
                        .isNotInstanceOf(KeeperException.NodeExistsException.class);
                assertThatThrownBy(() -> stranger.setACL()
                                .withACL(ZooDefs.Ids.OPEN_ACL_UNSAFE)
                                .forPath(path))
                        .as("acl of %s", path)
                        .isInstanceOf(KeeperException.NoAuthException.class);
                assertThatThrownBy(() -> stranger.delete().forPath(path))
                        .as("delete %s", path)
                        .isInstanceOf(KeeperException.class);
            }
        }
    }

    private String root(String path) {
        return settings.get(ZooKeeperTree.ROOT) + "/" + path;
    }

    /** Nodes that everybody may change: a start protects them. */
    @Test
    void nodesThatAnybodyMayChangeAreProtectedByAStart() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            for (NodeReport node : NodeReport.all(tree)) {
                tree.client().setACL().withACL(ZooDefs.Ids.OPEN_ACL_UNSAFE).forPath(node.path());
            }
            assertThat(NodeReport.all(tree)).noneMatch(NodeReport::isProtected);
            try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
                Membership.open(settings, ServerId.io(1), data, false).close();
            }
            assertThat(NodeReport.all(tree)).allMatch(NodeReport::isProtected);
            assertThat(tree.protectAll()).isZero();
        }
    }

    @Test
    void aServerWithAnotherSecretDoesNotStart() throws Exception {
        format();
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
            Settings other = withSecretOf("other");
            assertThatThrownBy(() -> Membership.open(other, ServerId.io(1), data, false))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining(SecretFile.FILE.name())
                    .hasMessageContaining("another one protects them");
            FileSystemFormat format = FileSystemFormat.fresh(other, "alice", 1);
            try (ZooKeeperTree tree = ZooKeeperTree.connect(other)) {
                assertThatThrownBy(() -> format.write(tree, true))
                        .isInstanceOf(MembershipException.class)
                        .hasMessageContaining("another one protects them");
            }
        }
    }

    /** Old, then both, then new; a server serves all the time, and one that starts needs no more than the new one. */
    @Test
    void theSecretIsChangedWhileServersServe() throws Exception {
        format();
        String old = Files.readString(secret());
        Settings renewed = withSecretOf("new");
        String fresh = Files.readString(renewed.get(SecretFile.FILE));
        try (DataDirectory data = DataDirectory.open(directory.resolve("mds-1"));
                Membership running = Membership.open(settings, ServerId.mds(1), data, false)) {
            running.announce(new ServerAddress("h", 1), "", 0, 0);
            Files.writeString(secret(), fresh + old);
            awaitWelcome(renewed);
            Files.writeString(secret(), fresh);
            Settings before = withSecretOf("old");
            Files.writeString(before.get(SecretFile.FILE), old);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> protectedBy(before))
                            .hasMessageContaining("another one protects them"));
            try (DataDirectory second = DataDirectory.open(directory.resolve("io-1"));
                    Membership joined = Membership.open(renewed, ServerId.io(1), second, false)) {
                joined.announce(new ServerAddress("h", 2), "", 0, 0);
                assertThat(running.await(map -> map.getServersCount() == 2, PATIENCE))
                        .isTrue();
                assertThat(running.problems()).isEmpty();
            }
        }
    }

    private static void protectedBy(Settings settings) throws MembershipException {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            var unused = tree.tryReplace(tree.root() + "/epoch", -2, EpochNode.FIRST);
        }
    }

    private static void awaitWelcome(Settings settings) {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            protectedBy(settings);
            return true;
        });
    }
}
