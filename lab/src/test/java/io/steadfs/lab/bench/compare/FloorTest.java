package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.steadfs.lab.bench.pace.Spent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FloorTest {
    private static final Measured TRIPS = measured(List.of(20_000.0, 10_000.0), Optional.empty(), Optional.empty());
    private static final Measured APPENDS = measured(List.of(4000.0, 5000.0), Optional.empty(), Optional.empty());

    /** Two messages and two fsyncs: 2 x 50 us + 2 x 250 us = 600 us, then 2 x 100 us + 2 x 200 us = 600 us. */
    @Test
    void messagesAndFsyncsFollowOneAnother() {
        Measured first = measured(List.of(1000.0, 500.0), Optional.of(2.0), Optional.of(2.0));

        Floor floor = Floor.of(first, TRIPS, APPENDS).orElseThrow();

        assertThat(floor.rate()).isCloseTo(1e6 / 600, within(1e-6));
        assertThat(floor.reached().greatest()).isCloseTo(0.6, within(1e-9));
        assertThat(floor.reached().least()).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void workWithoutFsyncsHasItsMessagesAlone() {
        Measured first = measured(List.of(5000.0, 5000.0), Optional.of(1.0), Optional.of(0.0));
        Floor floor = Floor.of(first, TRIPS, APPENDS).orElseThrow();
        assertThat(floor.rates()).containsExactly(20_000.0, 10_000.0);
        assertThat(floor.reached().least()).isEqualTo(0.25);
        assertThat(floor.reached().greatest()).isEqualTo(0.5);
    }

    @Test
    void systemThatDoesNotCountHasNoFloor() {
        assertThat(Floor.of(measured(List.of(1.0, 1.0), Optional.empty(), Optional.empty()), TRIPS, APPENDS))
                .isEmpty();
    }

    private static Measured measured(List<Double> rates, Optional<Double> messages, Optional<Double> fsyncs) {
        return new Measured(
                "lane", rates, 2, new OperationLatency(2, 1, 1), Spent.NOTHING, Spent.NOTHING, messages, fsyncs);
    }
}
