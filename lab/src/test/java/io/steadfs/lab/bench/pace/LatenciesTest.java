package io.steadfs.lab.bench.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void mergedHistogramsHaveThePercentilesOfAllDurations() {
        Latencies even = new Latencies();
        Latencies odd = new Latencies();
        for (int micros = 1; micros <= 1000; micros++) {
            (micros % 2 == 0 ? even : odd).record(TimeUnit.MICROSECONDS.toNanos(micros));
        }
        Latencies all = new Latencies();
        all.add(even);
        all.add(odd);

        assertThat(all.count()).isEqualTo(1000);
        assertThat(all.percentileMicros(50)).isCloseTo(500, within(0.6));
        assertThat(all.percentileMicros(99)).isCloseTo(990, within(1.0));
        assertThat(even.count()).as("what was added from stays").isEqualTo(500);
    }

    /** A mean of the percentiles of both would be 50,500 us. */
    @Test
    void aSlowThreadCountsAsOftenAsItWasSlow() {
        Latencies fast = new Latencies();
        Latencies slow = new Latencies();
        for (int i = 0; i < 99; i++) {
            fast.record(TimeUnit.MICROSECONDS.toNanos(1000));
        }
        slow.record(TimeUnit.MICROSECONDS.toNanos(100_000));
        fast.add(slow);

        assertThat(fast.percentileMicros(99)).isCloseTo(1000, within(1.0));
        assertThat(fast.percentileMicros(100)).isCloseTo(100_000, within(100.0));
    }

    @Test
    void nothingTakesNoTime() {
        assertThat(new Latencies().count()).isZero();
        assertThat(new Latencies().percentileMicros(99)).isZero();
    }

    @Test
    void moreThanAnHourCountsAsAnHour() {
        Latencies latencies = new Latencies();
        latencies.record(TimeUnit.HOURS.toNanos(3));
        assertThat(latencies.percentileMicros(50)).isCloseTo(3.6e9, within(3.6e6));
    }
}
