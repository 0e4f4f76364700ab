package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that acts for many users, with a file system of each, has one connection to a server. */
class SharedSocketsTest {
    private static final int USERS = 200;
    /** Each such user also writes and reads a file. */
    private static final int WRITES_EACH = 20;

    @Test
    void twoHundredUsersHaveOneConnectionToEachServer(@TempDir Path directory) throws Exception {
        try (Cluster cluster = Cluster.start(directory, 2, Map.of("stead.rpc.client.idle", "60000"))) {
            Configuration conf = new Configuration();
            org.apache.hadoop.fs.Path shared = new org.apache.hadoop.fs.Path("/shared");
            try (FileSystem admin = FileSystem.newInstance(cluster.local().uri(), conf)) {
                admin.mkdirs(shared);
                admin.setPermission(shared, new FsPermission((short) 0777));
            }
            Map<String, Long> before = cluster.gauges(List.of("connections.open"));
            List<FileSystem> open = new ArrayList<>();
            try {
                for (int i = 0; i < USERS; i++) {
                    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(shared, "file-" + i);
                    open.add(openAs("user-" + i, cluster, conf, file, i % WRITES_EACH == 0));
                }
                Map<String, Long> with = cluster.gauges(List.of("connections.open"));
                assertThat(with).isNotEmpty();
                // Servers may have asked one another meanwhile, by one connection each.
                long most = 1L + cluster.ports().size();
                with.forEach((server, connections) -> assertThat(connections - before.getOrDefault(server, 0L))
                        .as(server)
                        .isLessThanOrEqualTo(most));
                for (int i = 0; i < USERS; i += WRITES_EACH) {
                    assertThat(open.get(0)
                                    .getFileStatus(new org.apache.hadoop.fs.Path(shared, "file-" + i))
                                    .getOwner())
                            .isEqualTo("user-" + i);
                }
                // One that leaves takes nothing from the others.
                open.remove(0).close();
                assertThat(open.get(0).listStatus(shared)).hasSize(USERS / WRITES_EACH);
            } finally {
                for (FileSystem each : open) {
                    each.close();
                }
            }
        }
    }

    /** So the first operation need not wait for a connection. */
    @Test
    void openingAFileSystemBeginsToConnect(@TempDir Path directory) throws Exception {
        try (Cluster cluster = Cluster.start(directory, 1, Map.of())) {
            long before = connections(cluster);
            try (FileSystem fs = FileSystem.newInstance(cluster.local().uri(), new Configuration())) {
                assertThat(fs.getScheme()).isEqualTo("stead");
                await().atMost(20, TimeUnit.SECONDS).until(() -> connections(cluster) > before);
            }
        }
    }

    private static long connections(Cluster cluster) throws Exception {
        return cluster.gauges(List.of("connections.open")).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Whoever only wants a path made absolute, needs no servers. */
    @Test
    void aFileSystemWithoutServersOpensAndCloses() throws Exception {
        try (FileSystem fs = FileSystem.newInstance(URI.create("stead://127.0.0.1:1"), new Configuration())) {
            assertThat(fs.makeQualified(new org.apache.hadoop.fs.Path("a")).toString())
                    .startsWith("stead://127.0.0.1:1/user/");
        }
    }

    private static FileSystem openAs(
            String user, Cluster cluster, Configuration conf, org.apache.hadoop.fs.Path file, boolean writes)
            throws Exception {
        return UserGroupInformation.createRemoteUser(user).doAs((PrivilegedExceptionAction<FileSystem>) () -> {
            FileSystem fs = FileSystem.newInstance(cluster.local().uri(), conf);
            assertThat(fs.getFileStatus(file.getParent()).isDirectory()).isTrue();
            if (writes) {
                writeAndRead(fs, file, user.getBytes(StandardCharsets.UTF_8));
            }
            return fs;
        });
    }

    private static void writeAndRead(FileSystem fs, org.apache.hadoop.fs.Path file, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(bytes);
        }
        byte[] read = new byte[bytes.length];
        try (FSDataInputStream in = fs.open(file)) {
            in.readFully(0, read);
        }
        assertThat(read).isEqualTo(bytes);
    }
}
