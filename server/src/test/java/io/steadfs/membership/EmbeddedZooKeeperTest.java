package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.disk.Forced;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest {
    @Test
    void keepsWhatItHeldWhenStartedAgain(@TempDir Path directory) throws Exception {
        FileSystemFormat format;
        int port;
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, 0)) {
            port = zooKeeper.port();
            try (ZooKeeperTree tree = ZooKeeperTree.connect(at(zooKeeper, directory))) {
                format = FileSystemFormat.fresh(Settings.defaults(), "alice", 1);
                format.write(tree, false);
            }
        }
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(directory, port);
                ZooKeeperTree tree = ZooKeeperTree.connect(at(zooKeeper, directory))) {
            assertThat(zooKeeper.port()).isEqualTo(port);
            assertThat(FileSystemFormat.read(tree)).isEqualTo(format);
        }
    }

    @Test
    void itsDirectoriesAreSynced(@TempDir Path directory) throws Exception {
        Path above = directory.toRealPath().resolve("zookeeper");
        assertThat(Forced.during(
                        () -> EmbeddedZooKeeper.start(above.resolve("1"), 0).close()))
                .contains(above.getParent(), above, above.resolve("1"));
    }

    private static Settings at(EmbeddedZooKeeper zooKeeper, Path directory) {
        return Settings.of(Map.of(
                ZooKeeperTree.CONNECT.name(),
                zooKeeper.connectString(),
                SecretFile.FILE.name(),
                TestSecret.in(directory)));
    }

    @Test
    void portInUseIsNamed(@TempDir Path directory) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, taken.getLocalPort())
                            .close())
                    .isInstanceOf(MembershipException.class)
                    .hasMessage("port " + taken.getLocalPort() + " for ZooKeeper is in use");
        }
    }
}
