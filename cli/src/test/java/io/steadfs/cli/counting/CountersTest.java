package io.steadfs.cli.counting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CountersTest {
    private static final Counters BEFORE = counters(
            Map.of("messages.in.CREATE", 5L, "messages.in.STATUS", 1L, "log.fsyncs", 7L),
            Map.of("messages.in.WRITE", 2L, "messages.out.CONFIRM_DATAFILES", 1L));
    private static final Counters AFTER = counters(
            Map.of("messages.in.CREATE", 8L, "messages.in.STATUS", 2L, "log.fsyncs", 9L, "messages.in.CLOSE", 3L),
            Map.of(
                    "messages.in.WRITE",
                    5L,
                    "messages.out.CONFIRM_DATAFILES",
                    2L,
                    "store.syncs",
                    3L,
                    "fsyncs.file",
                    1L));

    @Test
    void growthIsTold() {
        Counters growth = AFTER.since(BEFORE);

        assertThat(growth.messages()).isEqualTo(new TreeMap<>(Map.of("CREATE", 3L, "CLOSE", 3L, "WRITE", 3L)));
        assertThat(growth.messages("CREATE")).isEqualTo(3);
        assertThat(growth.messages("SEAL")).isZero();
        assertThat(growth.fsyncs("mds")).isEqualTo(2);
        assertThat(growth.fsyncs("io")).isEqualTo(4);
    }

    @Test
    void restartInBetweenIsNoGrowth() {
        assertThatThrownBy(() -> BEFORE.since(AFTER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("of io-1 fell by");
    }

    private static Counters counters(Map<String, Long> mds, Map<String, Long> io) {
        return new Counters(new TreeMap<>(Map.of("mds-1", new TreeMap<>(mds), "io-1", new TreeMap<>(io))));
    }
}
