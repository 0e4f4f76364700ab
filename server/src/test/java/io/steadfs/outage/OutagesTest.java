package io.steadfs.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private long nowMillis = 1_000_000;
    private final List<String> lines = new ArrayList<>();
    private final Outages outages = new Outages(
            "io-1",
            new Clock() {
                @Override
                public long wallMillis() {
                    return nowMillis;
                }

                @Override
                public long monotonicNanos() {
                    return nowMillis * 1_000_000;
                }
            },
            lines::add);

    private void look(long afterMillis, Map<String, String> away) {
        nowMillis += afterMillis;
        outages.look(away);
    }

    @Test
    void oneLineWhenItGoesOneEachMinuteAndOneWhenItIsBack() {
        look(0, Map.of());
        assertThat(lines).isEmpty();
        for (int second = 0; second < 150; second++) {
            look(1_000, Map.of("ZooKeeper", "ZooKeeper at z:1 does not answer"));
        }
        assertThat(outages.since("ZooKeeper")).hasValue(1_001_000);
        look(1_000, Map.of());
        look(1_000, Map.of());
        assertThat(lines)
                .containsExactly(
                        "io-1: ZooKeeper at z:1 does not answer",
                        "io-1: for 60 s: ZooKeeper at z:1 does not answer",
                        "io-1: for 120 s: ZooKeeper at z:1 does not answer",
                        "io-1: ZooKeeper is well again after 150 s");
        assertThat(outages.since("ZooKeeper")).isEmpty();
    }

    @Test
    void eachIsToldByItself() {
        look(0, Map.of("io-2", "io-2 is silent"));
        look(10_000, Map.of("io-2", "io-2 is silent", "mds-1", "mds-1 is silent"));
        look(10_000, Map.of("mds-1", "mds-1 is silent"));
        assertThat(lines)
                .containsExactly(
                        "io-1: io-2 is silent", "io-1: mds-1 is silent", "io-1: io-2 is well again after 20 s");
    }
}
