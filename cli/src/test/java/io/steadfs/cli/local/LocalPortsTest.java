package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPortsTest {
    @TempDir
    private Path folder = Path.of("");

    private LocalPorts ports() throws IOException {
        return new LocalPorts(folder.resolve("ports"));
    }

    @Test
    void plannedPortsFollowFromTheFirst() {
        assertThat(PortChoice.USUAL.of(ServerId.mds(1))).isEqualTo(7410);
        assertThat(PortChoice.USUAL.of(ServerId.mds(3))).isEqualTo(7412);
        assertThat(PortChoice.USUAL.of(ServerId.io(2))).isEqualTo(7511);
        assertThat(PortChoice.USUAL.metricsOf(ServerId.io(2))).isEqualTo(17_511);
        assertThat(PortChoice.USUAL.webUi()).isEqualTo(7480);
        assertThat(PortChoice.USUAL.zooKeeper()).isEqualTo(7400);
        assertThat(PortChoice.from(8410).of(ServerId.io(2))).isEqualTo(8511);
        assertThat(PortChoice.from(8410).webUi()).isEqualTo(8480);
        assertThat(PortChoice.from(65_500).of(ServerId.io(2))).isZero();
        assertThat(PortChoice.from(0)).isEqualTo(PortChoice.ANY);
        assertThat(PortChoice.ANY.of(ServerId.mds(1))).isZero();
    }

    @Test
    void earlierPortIsKeptOverRestarts() throws IOException {
        int earlier = FreePorts.ofLoopback().next();
        int planned = FreePorts.ofLoopback().next();
        assertThat(ports().choose("mds-1", planned, PortChoice.USUAL)).isEqualTo(planned);
        ports().remember("mds-1", earlier);
        assertThat(ports().choose("mds-1", planned, PortChoice.USUAL)).isEqualTo(earlier);
        assertThat(ports().of(ServerId.mds(1), PortChoice.from(planned))).isEqualTo(planned);
    }

    @Test
    void takenPortIsNamedOrGivenUp() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ports().remember("io-1", taken.getLocalPort());
            assertThatThrownBy(() -> ports().choose("io-1", 0, PortChoice.USUAL))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " of io-1 at 127.0.0.1 is in use")
                    .hasMessageContaining("--port 0");
            assertThat(ports().choose("io-1", 0, PortChoice.ANY)).isZero();
            int other = ports().of(ServerId.io(1), PortChoice.ANY);
            assertThat(other).as("below what systems give to anybody").isBetween(1024, 32_767);
            assertThat(FreePorts.isFree(LocalPorts.HOST, other)).isTrue();
        }
    }
}
