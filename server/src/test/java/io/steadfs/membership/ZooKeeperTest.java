package io.steadfs.membership;

import io.steadfs.config.Settings;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One ZooKeeper for the class, one root path and data directories for each test. */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
abstract class ZooKeeperTest {
    private static final AtomicInteger ROOTS = new AtomicInteger();
    private static final Map<String, TestingServer> SERVERS = new HashMap<>();

    final Path directory;
    final Settings settings;

    ZooKeeperTest(@TempDir Path directory) {
        this.directory = directory;
        this.settings = Settings.of(Map.of(
                ZooKeeperTree.CONNECT.name(),
                zooKeeper().getConnectString(),
                ZooKeeperTree.ROOT.name(),
                "/test/" + ROOTS.incrementAndGet(),
                ZooKeeperTree.SESSION_TIMEOUT.name(),
                "2000",
                SequenceBlocks.BLOCK.name(),
                "100",
                SecretFile.FILE.name(),
                TestSecret.in(directory)));
    }

    static TestingServer zooKeeper() {
        TestingServer server = SERVERS.get("only");
        if (server == null) {
            throw new IllegalStateException("ZooKeeper was not started");
        }
        return server;
    }

    @BeforeAll
    static void startZooKeeper() throws Exception {
        SERVERS.put("only", new TestingServer());
    }

    @AfterAll
    static void stopZooKeeper() throws Exception {
        TestingServer server = SERVERS.remove("only");
        if (server != null) {
            server.close();
        }
    }

    FileSystemFormat format() throws MembershipException {
        FileSystemFormat format = FileSystemFormat.fresh(settings, "alice", 1_700_000_000_000L);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            format.write(tree, true);
        }
        return format;
    }
}
