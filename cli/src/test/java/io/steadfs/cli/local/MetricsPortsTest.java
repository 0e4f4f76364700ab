package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsPortsTest {
    private static final MetricsPorts PORTS =
            new MetricsPorts(List.of(ServerId.mds(1), ServerId.mds(2), ServerId.io(1)));

    @Test
    void serversThatShareAConfigurationListenOneBehindTheOther() {
        Settings settings = Settings.of(Map.of("stead.metrics.port", "9100"));
        assertThat(PORTS.of(ServerId.mds(1), settings)).containsExactly(Map.entry("stead.metrics.port", "9100"));
        assertThat(PORTS.of(ServerId.mds(2), settings)).containsExactly(Map.entry("stead.metrics.port", "9101"));
        assertThat(PORTS.of(ServerId.io(1), settings)).containsExactly(Map.entry("stead.metrics.port", "9102"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void anyPortAndNoneAreForAll(String port) {
        assertThat(PORTS.of(ServerId.io(1), Settings.of(Map.of("stead.metrics.port", port))))
                .isEmpty();
    }
}
