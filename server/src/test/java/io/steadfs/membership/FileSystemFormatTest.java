package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemFormatTest extends ZooKeeperTest {
    FileSystemFormatTest(@TempDir Path directory) {
        super(directory);
    }

    @Test
    void readsWhatWasWritten() throws Exception {
        FileSystemFormat written = format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            assertThat(FileSystemFormat.read(tree)).isEqualTo(written);
        }
        assertThat(written.shardCount()).isEqualTo(1);
        assertThat(written.stripSizeBytes()).isEqualTo(1 << 20);
        assertThat(written.width()).isEqualTo(4);
        assertThat(written.blockSizeBytes()).isEqualTo(128L << 20);
        assertThat(written.superuser()).isEqualTo("alice");
    }

    @Test
    void nothingThereIsSaid() throws Exception {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            assertThatThrownBy(() -> FileSystemFormat.read(tree))
                    .isInstanceOf(MembershipException.class)
                    .hasMessageContaining("holds no file system; run stead format");
        }
    }

    @Test
    void anExistingOneIsReplacedOnlyByForce() throws Exception {
        FileSystemFormat first = format();
        FileSystemFormat second = FileSystemFormat.fresh(settings, "bob", 1);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            assertThatThrownBy(() -> second.write(tree, false))
                    .hasMessageContaining("already holds file system " + first.fileSystem());
            assertThat(FileSystemFormat.read(tree)).isEqualTo(first);
            second.write(tree, true);
            assertThat(FileSystemFormat.read(tree)).isEqualTo(second);
        }
    }

    @Test
    void notEvenByForceWhileItsServersRun() throws Exception {
        format();
        FileSystemFormat second = FileSystemFormat.fresh(settings, "bob", 1);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings);
                DataDirectory data = DataDirectory.open(directory.resolve("io-1"));
                Membership server = Membership.open(settings, ServerId.io(1), data, false)) {
            server.announce(new ServerAddress("127.0.0.1", 7001), "", 0, 0);
            assertThatThrownBy(() -> second.write(tree, true)).hasMessageContaining("servers run: io-1");
        }
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        format();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            String text = new String(tree.client().getData().forPath(tree.format()), StandardCharsets.UTF_8);
            String newer = text.replace("\"formatVersion\":1", "\"formatVersion\":4");
            tree.client().setData().forPath(tree.format(), newer.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> FileSystemFormat.read(tree))
                    .hasMessageContaining("format 4; this release knows 1 to 3");
            tree.client().setData().forPath(tree.format(), "{}".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> FileSystemFormat.read(tree)).hasMessageContaining(tree.format());
        }
    }

    @Test
    void aFileSystemHas256ShardsAtMost() throws Exception {
        format();
        Settings most = Settings.of(Map.of("stead.format.shards", "256"));
        assertThat(FileSystemFormat.fresh(most, "alice", 1).shardCount()).isEqualTo(FileSystemFormat.MAX_SHARDS);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            String text = new String(tree.client().getData().forPath(tree.format()), StandardCharsets.UTF_8);
            for (int shards : new int[] {256, 257}) {
                String other = text.replace("\"shardCount\":1,", "\"shardCount\":" + shards + ",");
                tree.client().setData().forPath(tree.format(), other.getBytes(StandardCharsets.UTF_8));
                if (shards == 256) {
                    assertThat(FileSystemFormat.read(tree).shardCount()).isEqualTo(256);
                } else {
                    assertThatThrownBy(() -> FileSystemFormat.read(tree))
                            .isInstanceOf(MembershipException.class)
                            .hasMessageContaining(tree.format())
                            .hasMessageContaining("stead.format.shards = 257");
                }
            }
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        Settings tooMany = Settings.of(Map.of("stead.format.shards", "257"));
        assertThatThrownBy(() -> FileSystemFormat.fresh(tooMany, "alice", 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stead.format.shards")
                .hasMessageContaining("'257'");
        Settings idle = Settings.of(Map.of("stead.format.shards", "2", "stead.format.mds", "3"));
        assertThatThrownBy(() -> FileSystemFormat.fresh(idle, "alice", 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stead.format.mds = 3 is above stead.format.shards = 2");
        Settings uneven = Settings.of(Map.of("stead.format.strip.size", "100000"));
        assertThatThrownBy(() -> FileSystemFormat.fresh(uneven, "alice", 1)).hasMessageContaining("multiple of 64k");
    }

    @Test
    void missingZooKeeperIsNamed() {
        Settings nowhere = settings.with(Map.of(
                ZooKeeperTree.CONNECT.name(), "127.0.0.1:1",
                ZooKeeperTree.CONNECT_TIMEOUT.name(), "300"));
        assertThatThrownBy(() -> ZooKeeperTree.connect(nowhere))
                .isInstanceOf(MembershipException.class)
                .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:1");
    }
}
