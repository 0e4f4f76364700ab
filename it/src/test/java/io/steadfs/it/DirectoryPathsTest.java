package io.steadfs.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.admin.DirectoryPaths;
import io.steadfs.admin.IoServers;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Paths of directories by their handles, on three shards. */
@Timeout(300)
class DirectoryPathsTest {
    private static final int MOST_NAMES = 20;

    private final Cluster cluster;
    private final Connections connections = Connections.ofOperator();
    private final Connection connection;
    private final SteadFs fs;
    private final SimulatedTime time = new SimulatedTime(1);
    private final DirectoryPaths paths;

    DirectoryPathsTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 1, 3, 1, Map.of("stead.partition.split.entries", "100000"));
        connection = connections.open(new SteadUri(cluster.local().address()));
        fs = connection.fs();
        ClusterMap map = fs.clusterMap();
        paths = new DirectoryPaths(
                connection.transport(),
                () -> map,
                Connections.caller(),
                time,
                MOST_NAMES,
                IoServers.USUAL_TIMEOUT_MILLIS);
    }

    @AfterEach
    void stop() throws IOException {
        connection.close();
        connections.close();
        cluster.close();
    }

    private Handle made(String path) throws IOException {
        fs.mkdirs(FsPath.parse(path), 0755, true, false);
        return fs.stat(FsPath.parse(path)).handle();
    }

    @Test
    void pathsLeadOverAllShards() throws IOException {
        assertThat(paths.find(Handle.ROOT)).hasValue("/");
        for (String path : new String[] {"/a", "/a/b/c/d/e/f/g", "/x y/\u05d0/<b>"}) {
            assertThat(paths.find(made(path))).hasValue(path);
        }
        assertThat(paths.find(Handle.of(Handle.shardOwner(1), 0, 1 << 20))).isEmpty();
    }

    @Test
    void namesInPartitionsAreFound() throws IOException {
        FsPath wide = FsPath.parse("/wide");
        made("/wide");
        fs.setXattr(wide, DirectoryHints.EXPECTED_FILES, "800000".getBytes(UTF_8), true, true);
        assertThat(fs.partitions(wide)).hasSize(8);
        for (int i = 0; i < MOST_NAMES; i++) {
            assertThat(paths.find(made("/wide/d" + i))).hasValue("/wide/d" + i);
        }
    }

    @Test
    void oldPathIsKeptForAMinute() throws IOException {
        Handle directory = made("/old/d");
        assertThat(paths.find(directory)).hasValue("/old/d");
        fs.rename(FsPath.parse("/old"), FsPath.parse("/new"), RenameMode.NO_REPLACE);
        time.runFor(59_000);
        assertThat(paths.find(directory)).hasValue("/old/d");
        time.runFor(2_000);
        assertThat(paths.find(directory)).hasValue("/new/d");
        fs.delete(FsPath.parse("/new"), true);
        time.runFor(61_000);
        assertThat(paths.find(directory)).isEmpty();
    }

    @Test
    void onlySoManyNamesAreLookedThrough() throws IOException {
        int found = 0;
        for (int i = 0; i < 2 * MOST_NAMES; i++) {
            made("/many/d" + i);
        }
        for (int i = 0; i < 2 * MOST_NAMES; i++) {
            found += paths.find(made("/many/d" + i)).isPresent() ? 1 : 0;
        }
        assertThat(found).isEqualTo(MOST_NAMES);
    }
}
