package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports of what belongs to a cluster beside its servers. */
class KeptPortsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aServerThatStartsAgainForgetsNoOther() throws IOException {
        int port = FreePorts.ofLoopback().next();
        int server;
        try (LocalCluster cluster = LocalCluster.in(directory).ioServers(1).start()) {
            cluster.ports().remember("web interface", port);
            cluster.stopServer(ServerId.io(1));
            cluster.startServer(ServerId.io(1));
            server = cluster.addressOf(ServerId.io(1)).port();
        }
        LocalPorts kept = new LocalPorts(directory.resolve("ports"));
        assertThat(kept.choose("web interface", 0, PortChoice.USUAL)).isEqualTo(port);
        assertThat(kept.choose("io-1", 0, PortChoice.USUAL)).isEqualTo(server);
    }
}
