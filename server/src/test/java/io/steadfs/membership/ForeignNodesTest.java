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

/** Nodes and files that no server of ours wrote: refused by name; servers that run keep what they know. */
class ForeignNodesTest extends ZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String STORE = "9b2f4f5e-0c59-4b7e-a3a1-111111111111";

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
                "servers/nine | {\"store\":\"" + STORE + "\",\"firstAddress\":\"\"} | is not mds-N or io-N",
            })
    void serversThatRunKeepTheirMap(String path, String text, String named) throws Exception {
        format();
        try (DataDirectory first = DataDirectory.open(directory.resolve("io-1"));
                Membership running = Membership.open(settings, ServerId.io(1), first, false)) {
            running.announce(new ServerAddress("h", 1), "", 0, 0);
            String node = "/" + put(running, path, text);
            try (DataDirectory second = DataDirectory.open(directory.resolve("io-2"))) {
                assertThatThrownBy(() -> Membership.open(settings, ServerId.io(2), second, false))
                        .isInstanceOf(MembershipException.class)
                        .hasMessageContaining(node)
                        .hasMessageContaining(named);
                running.reportSpace(8, 8);
                assertThat(running.map().getServersList())
                        .extracting(ClusterMap.Server::getHost)
                        .containsExactly("h");
                awaitProblem(running, node, named);

                running.client().delete().forPath(root() + node);
                try (Membership joined = Membership.open(settings, ServerId.io(2), second, false)) {
                    joined.announce(new ServerAddress("h", 2), "", 0, 0);
                    assertThat(running.await(map -> map.getServersCount() == 2, Duration.ofSeconds(30)))
                            .isTrue();
                    awaitNoProblem(running);
                }
            }
        }
    }

    private static void awaitProblem(Membership membership, String node, String named) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(membership.problems())
                        .singleElement()
                        .asString()
                        .contains(
                                node,
                                named,
                                "the cluster map of epoch " + membership.map().getEpoch() + " stands"));
    }

    private static void awaitNoProblem(Membership membership) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(membership.problems()).isEmpty());
    }

    /** Only metadata servers count, and read these nodes for it. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "alive/nine | {\"address\":\"h:9\",\"rack\":\"\",\"capacityBytes\":0,\"freeBytes\":0,\"place\":\"\"} | is not mds-N or io-N",
                "alive/io-9 | null | holds null",
                "shards/x | {\"server\":1} | is no shard",
                "shards/256 | {\"server\":1} | is no shard",
            })
    void aServerThatCannotCountSaysWhy(String path, String text, String named) throws Exception {
        format();
        try (DataDirectory first = DataDirectory.open(directory.resolve("mds-1"));
                DataDirectory second = DataDirectory.open(directory.resolve("io-1"));
                Membership running = Membership.open(settings, ServerId.mds(1), first, false)) {
            running.announce(new ServerAddress("h", 1), "", 0, 0);
            awaitNoProblem(running);
            String node = "/" + put(running, path, text);
            awaitProblem(running, node, named);

            running.client().delete().forPath(root() + node);
            awaitNoProblem(running);
            try (Membership joined = Membership.open(settings, ServerId.io(1), second, false)) {
                joined.announce(new ServerAddress("h", 2), "", 0, 0);
                assertThat(running.await(map -> map.getServersCount() == 2, PATIENCE))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "epoch | {\"epoch\":1,\"alive\":{\"io-1\":\"h:70000\"},\"shards\":{}} | 70000",
                "epoch | {\"epoch\":1,\"alive\":{},\"shards\":{\"x\":1}} | is no shard",
                "epoch | {\"epoch\":1,\"alive\":{},\"shards\":{\"0\":null}} | hosted by null",
                "epoch | null | holds null",
                "format | null | holds null",
            })
    void aServerDoesNotStart(String path, String text, String named) throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            tree.client().setData().forPath(tree.root() + "/" + path, text.getBytes(StandardCharsets.UTF_8));
        }
        try (DataDirectory data = DataDirectory.open(directory.resolve("io-1"))) {
            assertThatThrownBy(() -> Membership.open(settings, ServerId.io(1), data, false))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining("/" + path)
                    .hasMessageContaining(named);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "shards/x | {\"server\":1} | is no shard",
                "shards/256 | {\"server\":1} | is no shard",
                "shards/0 | {\"server\":0} | server number 0",
            })
    void theShardsOfAServerAreNotKnown(String path, String text, String named) throws Exception {
        format();
        try (DataDirectory data = DataDirectory.open(directory.resolve("mds-1"));
                ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            tree.client().create().forPath(tree.root() + "/" + path, text.getBytes(StandardCharsets.UTF_8));
            try (Membership membership = Membership.open(settings, ServerId.mds(1), data, false)) {
                assertThatThrownBy(membership::hostedShards)
                        .isInstanceOf(MembershipException.class)
                        .hasMessageContaining("/" + path)
                        .hasMessageContaining(named);
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
}
