package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How processes begin and end. {@code CompareBesideTest} has a real cluster. */
class HomeClusterTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void commandThatFailsIsToldWithWhatItSaid() throws IOException {
        SteadHome home = home("echo \"stead: no such option: $*\" >&2; exit 2");
        assertThatThrownBy(() -> HomeCluster.start(
                        home, folder.resolve("run"), new ClusterSize(2, 4, 3), Map.of("stead.rack", "r1")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(home.command() + " local did not start: it ended with status 2; ")
                .hasMessageContaining("--mds 2 --shards 4 --io 3 --port 0")
                .hasMessageContaining("--set stead.rack=r1");
    }

    @Test
    void closingStopsTheCommandInOrder() throws IOException {
        Path stopped = folder.resolve("stopped");
        SteadHome home = home("""
                trap 'echo done > %s; exit 143' TERM
                echo '{"servers":[{"name":"mds-1","pid":11,"metrics":"http://127.0.0.1:1/metrics"},{"name":"io-1","pid":12,"metrics":""}]}'
                echo READY stead://h:2
                while :; do sleep 0.05; done
                """.formatted(stopped));
        try (HomeCluster cluster = HomeCluster.start(home, folder.resolve("run"), new ClusterSize(1, 1, 1), Map.of())) {
            assertThat(cluster.uri()).hasToString("stead://h:2");
            assertThat(cluster.servers())
                    .extracting(HomeCluster.Server::name, HomeCluster.Server::pid, HomeCluster.Server::isMds)
                    .containsExactly(tuple("mds-1", 11L, true), tuple("io-1", 12L, false));
            assertThatThrownBy(() -> cluster.metrics(cluster.servers().get(0)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("mds-1 does not answer at http://127.0.0.1:1/metrics: ")
                    .hasMessageContaining("local.log says:");
            assertThat(cluster.metrics(cluster.servers().get(1))).isEmpty();
            assertThat(stopped).doesNotExist();
        }
        assertThat(stopped).hasContent("done");
    }

    private SteadHome home(String script) throws IOException {
        Path command = Files.createDirectories(folder.resolve("home/bin")).resolve("stead");
        Files.writeString(command, "#!/bin/sh\n" + script + "\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        return new SteadHome(folder.resolve("home"), folder.resolve("client.jar"));
    }
}
