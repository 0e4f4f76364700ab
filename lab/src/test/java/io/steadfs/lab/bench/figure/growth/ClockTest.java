package io.steadfs.lab.bench.figure.growth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void countsUntilTheTurnIsOver() {
        Clock clock = new Clock(1);
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
    }
}
