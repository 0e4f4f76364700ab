package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class CoverageTest {
    private static final String OFTEN = "mds receives STAT before";
    private static final String RARE = "mds receives ANCESTORS before";
    private static final String STRAY = "mds receives LOOK_UP before";

    private final Coverage coverage = new Coverage();

    @Test
    void aPlaceIsLeftOutUntilAProcessEndsThere() {
        coverage.add(run(3, Map.of(OFTEN, met("mds-1", 2), RARE, met("mds-2", 0))));
        assertThat(coverage.never()).containsExactly(new Coverage.End(3, "mds-2", RARE));
        coverage.addEnds(run(3, Map.of(RARE, met("mds-2", 1))));
        assertThat(coverage.never()).isEmpty();
    }

    @Test
    void aPlaceIsTakenFromTheFirstSeedThatCameBy() {
        coverage.add(run(7, Map.of(RARE, met("mds-1", 0))));
        coverage.add(run(5, Map.of(RARE, met("mds-2", 0))));
        coverage.add(run(6, Map.of(RARE, met("mds-3", 0))));
        assertThat(coverage.never()).containsExactly(new Coverage.End(5, "mds-2", RARE));
    }

    /** The run of seed 3 alone never comes by the rare place, so an end there in seed 3 would never be met. */
    @Test
    void whereARunWithOneEndMoreComesByIsNotWhereItsSeedDoes() {
        coverage.add(run(3, Map.of(OFTEN, met("mds-1", 0))));
        coverage.add(run(5, Map.of(RARE, met("mds-2", 0))));
        coverage.addEnds(run(3, Map.of(OFTEN, met("mds-1", 1), RARE, met("mds-3", 0), STRAY, met("mds-3", 0))));
        assertThat(coverage.never()).containsExactly(new Coverage.End(5, "mds-2", RARE));
        assertThat(coverage.size()).isEqualTo(2);
    }

    private static CrashPoints.Met met(String process, long ended) {
        return new CrashPoints.Met(process, ended);
    }

    private static Simulation.Result run(long seed, Map<String, CrashPoints.Met> places) {
        return new Simulation.Result(
                Plan.of(seed),
                Optional.empty(),
                false,
                0,
                List.of(),
                new TreeMap<>(places),
                new TreeMap<>(),
                new SimulatedCheck.Account(0, 0, 0),
                0,
                0);
    }
}
