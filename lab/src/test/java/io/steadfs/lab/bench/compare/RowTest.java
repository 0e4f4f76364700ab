package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.steadfs.lab.bench.compare.work.Work;
import io.steadfs.lab.bench.compare.work.WorkKind;
import io.steadfs.lab.bench.pace.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowTest {
    @Test
    void lanesTakeTurnsAtBeginningAndServersRestBeforeEach() throws Exception {
        List<String> seen = new ArrayList<>();
        try (Together together = new Together()) {
            List<Lane> lanes = List.of(lane("first", seen, together), lane("second", seen, together));
            Row row = new Row(WorkKind.STAT, 1, lanes, Optional.empty(), () -> seen.add("rest"));

            row.round();
            row.round();

            assertThat(seen).containsExactly("rest", "first", "rest", "second", "rest", "second", "rest", "first");
            assertThat(row.cell().first().rates()).hasSize(2);
            assertThat(row.cell().first().latency())
                    .as("two rounds of one operation of 1 ms each")
                    .isEqualTo(new OperationLatency(2, 1000.4, 1000.4));
            assertThat(row.gain()).isFinite();
        }
    }

    @Test
    void roundsToSettleDoNotCountAndGoTheOtherWay() throws Exception {
        List<String> seen = new ArrayList<>();
        try (Together together = new Together()) {
            List<Lane> lanes = List.of(lane("first", seen, together), lane("second", seen, together));
            Row row = new Row(WorkKind.STAT, 1, lanes, Optional.empty(), () -> seen.add("rest"));

            row.settle(0);
            assertThat(seen).isEmpty();
            row.settle(1);
            assertThat(seen).containsExactly("rest", "second", "rest", "first");
            row.settle(3);
            assertThat(seen).hasSizeBetween(8, 16);
            assertThat(row.cell().first().rates()).isEmpty();
            assertThat(row.cell().first().operations()).isZero();
            assertThat(row.cell().first().latency()).isEqualTo(new OperationLatency(0, 0, 0));
            row.round();
            seen.clear();
            row.settle(1);
            assertThat(seen).containsExactly("rest", "first", "rest", "second");
        }
    }

    @Test
    void bareMessagesAndFsyncsFollowEachRound() throws Exception {
        List<String> seen = new ArrayList<>();
        try (Together together = new Together()) {
            List<Lane> lanes = List.of(lane("first", seen, together), lane("second", seen, together));
            FloorLanes floor = new FloorLanes(lane("trips", seen, together), lane("appends", seen, together));
            Row row = new Row(WorkKind.STAT, 1, lanes, Optional.of(floor), () -> seen.add("rest"));

            row.round();
            row.round();

            assertThat(seen)
                    .containsExactly(
                            "rest", "first", "rest", "second", "rest", "trips", "appends", "rest", "second", "rest",
                            "first", "rest", "trips", "appends");
            assertThat(row.cell().floor())
                    .as("these lanes have no servers that count messages")
                    .isEmpty();
            assertThat(row.cell().more()).isEmpty();
        }
    }

    private static Lane lane(String name, List<String> seen, Together together) {
        Work work = (operations, latencies) -> {
            seen.add(name);
            latencies.record(1_000_000);
        };
        Lane lane = new Lane(name, Optional.empty(), List.of(work), 1, together);
        lane.fix(1);
        return lane;
    }

    @Test
    void nothingIsKnownBeforeTheSecondRound() {
        assertThat(Row.gain(0, 1, 1)).isInfinite();
    }

    /** From 4 rounds of 2 s with variance 0.04 each: 0.01 becomes 0.008 in 2 s. */
    @Test
    void gainIsWhatOneMoreRoundTakesFromTheVarianceForEachSecond() {
        assertThat(Row.gain(0.1, 4, 8)).isCloseTo(0.001, within(1e-12));
    }
}
