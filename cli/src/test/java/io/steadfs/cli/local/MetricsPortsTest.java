package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsPortsTest {
    private static final String KEY = "stead.metrics.port";

    @TempDir
    private Path folder = Path.of("");

    private MetricsPorts ports(PortChoice choice) throws IOException {
        return new MetricsPorts(
                List.of(ServerId.mds(1), ServerId.mds(2), ServerId.io(1)),
                new LocalPorts(folder.resolve("ports")),
                choice);
    }

    @Test
    void serversThatShareAConfigurationListenOneBehindTheOther() throws IOException {
        Settings settings = Settings.of(Map.of(KEY, "9100"));
        MetricsPorts ports = ports(PortChoice.ANY);
        assertThat(ports.of(ServerId.mds(1), settings)).containsExactly(Map.entry(KEY, "9100"));
        assertThat(ports.of(ServerId.mds(2), settings)).containsExactly(Map.entry(KEY, "9101"));
        assertThat(ports.of(ServerId.io(1), settings)).containsExactly(Map.entry(KEY, "9102"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void anyPortAndNoneAreForAll(String port) throws IOException {
        assertThat(ports(PortChoice.ANY).of(ServerId.io(1), Settings.of(Map.of(KEY, port))))
                .isEmpty();
    }

    /** The ports behind it may be any program's: the system gives them to connections. */
    private static int baseWithFreePorts(int... distances) throws IOException {
        for (int tried = 0; tried < 1_000; tried++) {
            int base = FreePorts.ofLoopback().next();
            if (Arrays.stream(distances).allMatch(distance -> FreePorts.isFree(LocalPorts.HOST, base + distance))) {
                return base;
            }
        }
        throw new IOException("no port with free ones " + Arrays.toString(distances) + " behind it");
    }

    @Test
    void whereNoneIsConfiguredTheyFollowTheClustersPorts() throws IOException {
        Settings settings = Settings.defaults();
        int base = baseWithFreePorts(10_001, 10_100);
        MetricsPorts ports = ports(PortChoice.from(base));
        assertThat(ports.of(ServerId.mds(2), settings)).containsExactly(Map.entry(KEY, String.valueOf(base + 10_001)));
        assertThat(ports.of(ServerId.io(1), settings)).containsExactly(Map.entry(KEY, String.valueOf(base + 10_100)));
        assertThat(ports(PortChoice.ANY).of(ServerId.io(1), settings)).containsExactly(Map.entry(KEY, "0"));

        int earlier = FreePorts.ofLoopback().next();
        ports.remember(ServerId.io(1), settings, Optional.of("http://127.0.0.1:" + earlier + "/metrics"));
        assertThat(ports(PortChoice.from(base)).of(ServerId.io(1), settings))
                .containsExactly(Map.entry(KEY, String.valueOf(earlier)));
    }
}
