package io.steadfs.lab.bench.figure.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void countsUntilTheTurnIsOver() {
        AtomicInteger steady = new AtomicInteger();
        Clock clock = new Clock(1, steady::incrementAndGet);
        clock.begin();
        long counted = 0;
        while (clock.runs()) {
            clock.count();
            counted++;
        }
        clock.begin();
        clock.count();

        // The last one may have been counted too late.
        assertThat(clock.runs()).isFalse();
        assertThat(clock.files()).hasSize(1);
        assertThat(clock.files().get(0)).isBetween(counted - 1, counted);
        assertThat(steady).hasValue(1);
    }

    @Test
    void isNotSteadyAtFirst() {
        AtomicInteger steady = new AtomicInteger();
        Clock clock = new Clock(3_600, steady::incrementAndGet);
        clock.begin();
        clock.count();

        assertThat(clock.files().get(0)).isEqualTo(1);
        assertThat(steady).hasValue(0);
    }
}
