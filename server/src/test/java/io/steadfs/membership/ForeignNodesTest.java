package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes and files that no server of ours wrote: told by name and skipped; servers start and serve all the same. */
class ForeignNodesTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String STORE = "9b2f4f5e-0c59-4b7e-a3a1-111111111111";
    private static final String NOISE = "\u0001\u0002\u0003";

    ForeignNodesTest(@TempDir Path directory) {
        super(directory);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "servers/io-9 | {\"store\":\"" + STORE + "\",\"firstAddress\":\"h:70000\"} | 70000",
                "servers/io-9 | {\"store\":\"" + STORE + "\",\"firstAddress\":\"h\"} | is not host:port",
                "servers/io-9 | null | holds null",
                "servers/io-9 | " + NOISE + " | cannot be read as ServerNode",
                "servers/nine | {\"store\":\"" + STORE + "\",\"firstAddress\":\"\"} | is not mds-N or io-N",
                "servers/nine | " + NOISE + " | is not mds-N or io-N",
                "alive/nine | {\"address\":\"h:9\",\"rack\":\"\",\"capacityBytes\":0,\"freeBytes\":0,\"place\":\"\"} | is not mds-N or io-N",
                "alive/io-9 | null | holds null",
                "shards/x | {\"server\":1} | is no shard",
                "shards/256 | {\"server\":1} | is no shard",
                "shards/7 | " + NOISE + " | cannot be read as ShardNode",
            })
    void isToldAndSkipped(String path, String text, String named) throws Exception {
        format();
        try (DataDirectory first = DataDirectory.open(directory.resolve("mds-1"));
                Membership running = Membership.open(settings, ServerId.mds(1), first, false)) {
            running.announce(new ServerAddress("h", 1), "", 0, 0);
            String node = "/" + put(running, path, text);
            awaitProblem(running, node, named);

            // One that starts meanwhile sees it, too, and both see each other.
            try (DataDirectory second = DataDirectory.open(directory.resolve("io-2"));
                    Membership joined = Membership.open(settings, ServerId.io(2), second, false)) {
                joined.announce(new ServerAddress("h", 2), "", 0, 0);
                awaitProblem(joined, node, named);
                assertThat(running.await(map -> map.getServersCount() == 2, PATIENCE))
                        .isTrue();
                assertThat(running.map().getServersList())
                        .extracting(ClusterMap.Server::getPort)
                        .containsExactlyInAnyOrder(1, 2);
            }

            try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
                assertThat(NodeReport.all(tree).stream()
                                .filter(each -> each.wrong().isPresent()))
                        .singleElement()
                        .satisfies(wrong -> assertThat(wrong.path()).isEqualTo(root() + node));
                assertThat(NodeReport.remove(tree, root() + node)).isEmpty();
                assertThat(NodeReport.all(tree)).allMatch(each -> each.wrong().isEmpty());
            }
            awaitNoProblem(running);
        }
    }

    private static void awaitProblem(Membership membership, String node, String named) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(membership.problems())
                        .singleElement()
                        .asString()
                        .contains(node, named, "is skipped"));
    }

    private static void awaitNoProblem(Membership membership) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(membership.problems()).isEmpty());
    }

    @Test
    void whatIsRightIsNotRemoved() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            assertThat(NodeReport.remove(tree, tree.epoch()))
                    .hasValueSatisfying(why -> assertThat(why).contains("as it should be"));
            assertThat(NodeReport.remove(tree, tree.root() + "/nothing")).isPresent();
            overwrite("format", NOISE);
            assertThat(NodeReport.remove(tree, tree.format())).isPresent();
            assertThat(tree.stat(tree.format())).isPresent();
        }
    }

    /** The epoch goes on above all that were before. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"epoch\":1,\"alive\":{\"io-1\":\"h:70000\"},\"shards\":{}}",
                "{\"epoch\":1,\"alive\":{},\"shards\":{\"x\":1}}",
                "{\"epoch\":1,\"alive\":{},\"shards\":{\"0\":null}}",
                "null",
                NOISE
            })
    void theEpochIsWrittenAnew(String text) throws Exception {
        format();
        try (DataDirectory first = DataDirectory.open(directory.resolve("mds-1"));
                Membership running = Membership.open(settings, ServerId.mds(1), first, false)) {
            running.hostShard(0);
            running.announce(new ServerAddress("h", 1), "", 0, 0);
            long before = running.map().getEpoch();
            overwrite("epoch", text);
            assertThat(running.await(map -> map.getEpoch() > before, PATIENCE)).isTrue();
            assertThat(running.map().getShardsList())
                    .singleElement()
                    .satisfies(shard -> assertThat(shard.getServer()).isEqualTo(1));
            awaitNoProblem(running);
        }
        overwrite("epoch", text);
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"));
                Membership started = Membership.open(settings, ServerId.io(1), data, false)) {
            started.announce(new ServerAddress("h", 2), "", 0, 0);
            assertThat(started.map().getShardsList())
                    .singleElement()
                    .satisfies(shard -> assertThat(shard.getServer()).isEqualTo(1));
        }
    }

    @Test
    void whatTheFileSystemIsCannotBeGuessed() throws Exception {
        format();
        overwrite("format", "null");
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
            assertThatThrownBy(() -> Membership.open(settings, ServerId.io(1), data, false))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining("/format")
                    .hasMessageContaining("holds null");
        }
    }

    /** Its directory says whose it is. */
    @Test
    void aServersOwnNodeIsWrittenAnew() throws Exception {
        format();
        StoreIdentity identity;
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
            try (Membership first = Membership.open(settings, ServerId.io(1), data, false)) {
                identity = first.identity();
            }
            overwrite("servers/io-1", NOISE);
            try (Membership again = Membership.open(settings, ServerId.io(1), data, false)) {
                assertThat(again.identity()).isEqualTo(identity);
                again.announce(new ServerAddress("h", 1), "", 0, 0);
                awaitNoProblem(again);
            }
        }
        overwrite("servers/io-1", NOISE);
        try (DataDirectory empty = DataDirectory.open(directory.resolve("other"))) {
            assertThatThrownBy(() -> Membership.open(settings, ServerId.io(1), empty, false))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining("/servers/io-1")
                    .hasMessageContaining("--replace-store");
            try (Membership replaced = Membership.open(settings, ServerId.io(1), empty, true)) {
                assertThat(replaced.identity()).isNotEqualTo(identity);
            }
        }
    }

    /** No living server makes a node that lasts. */
    @Test
    void aNodeInTheWayThatNoServerMadeIsRemoved() throws Exception {
        format();
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"));
                Membership started = Membership.open(settings, ServerId.io(1), data, false)) {
            put(started, "alive/io-1", NOISE);
            started.announce(new ServerAddress("h", 1), "", 0, 0);
            awaitNoProblem(started);
        }
    }

    /** The host of a shard is known by the last count while its node cannot be read, and writes that anew. */
    @Test
    void aShardStaysWhereItWas() throws Exception {
        format();
        try (DataDirectory data = DataDirectory.open(directory.resolve("mds-1"));
                DataDirectory others = DataDirectory.open(directory.resolve("mds-2"))) {
            try (Membership first = Membership.open(settings, ServerId.mds(1), data, false)) {
                first.hostShard(0);
                first.announce(new ServerAddress("h", 1), "", 0, 0);
                overwrite("shards/0", NOISE);
                awaitProblem(first, "/shards/0", "ShardNode");
                assertThat(first.map().getShardsList())
                        .singleElement()
                        .satisfies(shard -> assertThat(shard.getServer()).isEqualTo(1));
                assertThat(first.hostedShards()).containsExactly(0);
            }
            try (Membership other = Membership.open(settings, ServerId.mds(2), others, false)) {
                assertThatThrownBy(() -> other.hostShard(0))
                        .isInstanceOf(MembershipException.class)
                        .hasMessageContaining("hosted by mds-1");
            }
            try (Membership again = Membership.open(settings, ServerId.mds(1), data, false)) {
                again.hostShard(0);
                awaitNoProblem(again);
            }
        }
    }

    @Test
    void anIdentityOfNothing() throws Exception {
        format();
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
            Path file = data.path().resolve("identity.json");
            Files.writeString(file, "null");
            assertThatThrownBy(() -> Membership.open(settings, ServerId.io(1), data, false))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("holds null");
        }
    }

    private String root() {
        return settings.get(ZooKeeperTree.ROOT);
    }

    private String put(Membership membership, String path, String text) throws Exception {
        membership.client().create().forPath(root() + "/" + path, text.getBytes(StandardCharsets.UTF_8));
        return path;
    }

    private void overwrite(String path, String text) throws Exception {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            tree.client().setData().forPath(root() + "/" + path, text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
