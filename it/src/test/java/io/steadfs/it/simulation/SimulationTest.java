package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Seeds of whole clusters: nothing is ever wrong, and processes end at every place where one can. */
class SimulationTest {
    /** The same in every build, so that a build that fails fails again; other seeds are a long run's business. */
    private static final long FIRST = Long.getLong("stead.seed", 1);

    private static final int SEEDS = Integer.getInteger("stead.simulation.seeds", 200);
    private static final int SHRINKING_RUNS = 400;
    private static final int SHRUNK = 3;

    @Test
    void nothingIsWrong() throws IOException {
        long first = FIRST;
        long startNanos = System.nanoTime();
        List<Simulation.Result> failures = Collections.synchronizedList(new ArrayList<>());
        SortedMap<String, Long> coverage = new TreeMap<>();
        AtomicInteger undecided = new AtomicInteger();
        AtomicInteger crashes = new AtomicInteger();
        LongStream.range(first, first + SEEDS).parallel().forEach(seed -> {
            Simulation.Result result = SeedRun.of(seed);
            if (result.violation().isPresent()) {
                failures.add(result);
                System.out.println("seed " + seed + ": " + result.violation().get());
            }
            undecided.addAndGet(result.undecided() ? 1 : 0);
            crashes.addAndGet(result.crashes().size());
            synchronized (coverage) {
                result.coverage().forEach((point, hits) -> coverage.merge(point, hits, Long::sum));
            }
        });
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        List<String> never = coverage.entrySet().stream()
                .filter(entry -> entry.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
        String account = SEEDS + " seeds from " + first + " in " + Math.round(seconds) + " s, "
                + Math.round(10 * SEEDS / seconds) / 10.0 + " a second; " + crashes + " crashes at "
                + (coverage.size() - never.size()) + " of " + coverage.size() + " places; " + undecided
                + " undecided; " + failures.size() + " wrong";
        System.out.println(account);
        write(account, coverage);
        failures.stream()
                .limit(SHRUNK)
                .forEach(failure -> System.out.println(Shrinker.tell(new Shrinker(SHRINKING_RUNS).shrink(failure))));
        assertThat(failures).as(account).isEmpty();
        assertThat(undecided.get()).as(account).isZero();
        if (Boolean.getBoolean("stead.simulation.coverage")) {
            assertThat(never).as("places where no process ever ended").isEmpty();
        }
    }

    private static void write(String account, SortedMap<String, Long> coverage) throws IOException {
        StringBuilder text = new StringBuilder(account).append("\n\ncrashes  place\n");
        coverage.forEach((point, hits) -> text.append(String.format("%7d  %s%n", hits, point)));
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("simulation.txt"), text);
    }

    @Test
    void theSameSeedIsTheSameRun() {
        long seed = FIRST;
        Simulation.Result once = SeedRun.of(seed);
        Simulation.Result again = SeedRun.of(seed);
        assertThat(again.fingerprint()).as("seed %s", seed).isEqualTo(once.fingerprint());
        Simulation.Result told = Simulation.run(once.plan(), CrashPoints.Arming.of(once.crashes()));
        assertThat(told.fingerprint())
                .as("seed %s, with its crashes named", seed)
                .isEqualTo(once.fingerprint());
    }
}
