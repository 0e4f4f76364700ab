package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.simulation.SimulatedTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowReadsTest {
    private final SimulatedTime time = new SimulatedTime(1);
    private final List<Long> answeredMillis = new ArrayList<>();

    private void read(SlowReads reads) {
        reads.then(() -> answeredMillis.add(time.monotonicNanos() / 1_000_000));
    }

    @Test
    void readsAreAnsweredAtOnceByDefault() {
        read(new SlowReads(time, time, Settings.defaults()));
        assertThat(answeredMillis).hasSize(1);
    }

    @Test
    void eachHasTheShardForItself() {
        time.runFor(10);
        long begin = time.monotonicNanos() / 1_000_000;
        SlowReads reads = new SlowReads(time, time, Settings.of(Map.of("stead.mds.read.delay", "3000")));
        read(reads);
        read(reads);
        time.runFor(4);
        read(reads);
        time.runFor(100);
        read(reads);
        time.runFor(100);
        assertThat(answeredMillis).containsExactly(begin + 3, begin + 6, begin + 9, begin + 107);
    }

    @Test
    void noTurnIsShorterThanTold() {
        long begin = time.monotonicNanos() / 1_000_000;
        SlowReads reads = new SlowReads(time, time, Settings.of(Map.of("stead.mds.read.delay", "1500")));
        read(reads);
        read(reads);
        time.runFor(100);
        assertThat(answeredMillis).containsExactly(begin + 2, begin + 3);
    }
}
