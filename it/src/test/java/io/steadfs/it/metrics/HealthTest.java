package io.steadfs.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.local.FreePorts;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /health} of servers that lose what they need. */
class HealthTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void serversThatLoseZooKeeperSaySoUntilItIsBack(@TempDir Path directory) throws Exception {
        Path files = directory.resolve("outside");
        int port = FreePorts.ofLoopback().next();
        EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(files, port);
        try (LocalCluster cluster = LocalCluster.in(directory.resolve("cluster"))
                .zooKeeper(zooKeeper.connectString())
                .ioServers(1)
                .start()) {
            Map<String, String> urls = cluster.metricsUrls();
            for (String url : urls.values()) {
                assertThat(Page.health(url).code()).isEqualTo(200);
            }
            zooKeeper.close();
            for (String url : urls.values()) {
                await().atMost(SOON).until(() -> Page.health(url).code() == 503);
                assertThat(Page.health(url).body())
                        .contains("\"status\":\"failing\"")
                        .contains("does not answer; the cluster map of epoch");
                assertThat(Page.get(url).code()).isEqualTo(200);
            }
            zooKeeper = EmbeddedZooKeeper.start(files, port);
            for (String url : urls.values()) {
                await().atMost(SOON).until(() -> Page.health(url).code() == 200);
            }
        } finally {
            zooKeeper.close();
        }
    }

    @Test
    void aStoppedServerAnswersNothing(@TempDir Path directory) throws IOException {
        try (LocalCluster cluster = LocalCluster.in(directory).ioServers(2).start()) {
            String url = Optional.ofNullable(cluster.metricsUrls().get("io-2")).orElseThrow();
            cluster.stopServer(ServerId.io(2));
            assertThat(cluster.metricsUrls()).containsOnlyKeys("mds-1", "io-1");
            assertThatThrownBy(() -> Page.health(url)).isInstanceOf(IOException.class);
        }
    }
}
