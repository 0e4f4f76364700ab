package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A check of the file system beside clients and everything else that goes on in a simulation finds nothing, since nothing is wrong. */
class CheckedSimulationTest {
    private static final long FIRST = Long.getLong("stead.seed", 1);

    /** An eighth of the simulation's: each takes as long as a dozen without checks. */
    private static final int SEEDS = Math.max(1, Integer.getInteger("stead.simulation.seeds", 100) / 8);

    @Test
    void nothingSoundIsReported() {
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        SimulatedCheck.Account account = LongStream.range(FIRST, FIRST + SEEDS)
                .parallel()
                .mapToObj(SeedRun::checked)
                .map(result -> {
                    result.violation()
                            .ifPresent(what -> wrong.add("seed " + result.plan().seed() + ": " + what));
                    return result.checks();
                })
                .reduce(new SimulatedCheck.Account(0, 0, 0), SimulatedCheck.Account::plus);
        System.out.println(SEEDS + " seeds from " + FIRST + ": " + account.begun() + " checks, " + account.complete()
                + " of them complete with " + account.rows() + " rows; " + wrong.size() + " wrong");
        assertThat(wrong).isEmpty();
        assertThat(account.complete())
                .as("checks that came to their end, one for each seed alone and several beside others")
                .isGreaterThan(2 * SEEDS);
    }
}
