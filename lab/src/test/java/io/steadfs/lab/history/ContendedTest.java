package io.steadfs.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The work for a long history that many clients fight in grows with the history only. */
class ContendedTest {
    /** {@code -Dstead.history.operations=400000} is more than half an hour of torture has. */
    private static final int OPERATIONS = Integer.getInteger("stead.history.operations", 40_000);

    private static final int CLIENTS = 20;

    /** Met by all that is below: 1 to 11. */
    private static final int MOST_OF_AN_OPERATION = 40;

    /**
     * @param names 40: as clients of torture meet; 4: five are at each name all the time
     * @param unknown of so many operations one has an unknown outcome, and so many may still be done at any later time
     */
    @ParameterizedTest
    @CsvSource({"40, 400", "40, 40", "4, 1000", "4, 100", "4, 20"})
    void workGrowsWithTheHistoryOnly(int names, int unknown) {
        long seed = Long.getLong("stead.seed", System.nanoTime());
        List<Operation> history = new RandomHistory(CLIENTS, names, OPERATIONS, unknown).of(new Random(seed));
        long begun = processorNanos();
        Verdict verdict = new HistoryCheck(HistoryCheck.MOST_CONFIGURATIONS).eachName(history);
        System.out.printf(
                "seed %d: %d operations on %d names, 1 of %d unknown: %d configurations, %d undecided, %d ms of a processor%n",
                seed,
                verdict.operations(),
                names,
                unknown,
                verdict.configurations(),
                verdict.undecided().size(),
                (processorNanos() - begun) / 1_000_000);
        assertThat(verdict.violations()).as("seed %s", seed).isEmpty();
        assertThat(verdict.undecided()).as("seed %s", seed).isEmpty();
        assertThat(verdict.configurations()).as("seed %s", seed).isLessThan((long) OPERATIONS * MOST_OF_AN_OPERATION);
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
