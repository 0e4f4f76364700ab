package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds of whole clusters: nothing is ever wrong, and processes end at every place where one can. */
class SimulationTest {
    /** The same in every build, so that a build that fails fails again; other seeds are a long run's business. */
    private static final long FIRST = Long.getLong("stead.seed", 1);

    private static final int SEEDS = Integer.getInteger("stead.simulation.seeds", 100);
    private static final boolean COVERAGE = Boolean.getBoolean("stead.simulation.coverage");
    private static final int SHRINKING_RUNS = 400;
    private static final long PROCESS_SECONDS = 300;
    private static final int PROCESS_SEEDS = Integer.getInteger("stead.simulation.process.seeds", 3);
    private static final int SHRUNK = 3;

    @Test
    void nothingIsWrong() throws IOException {
        long first = FIRST;
        long startNanos = System.nanoTime();
        List<Simulation.Result> failures = Collections.synchronizedList(new ArrayList<>());
        Coverage coverage = new Coverage();
        AtomicInteger undecided = new AtomicInteger();
        AtomicInteger crashes = new AtomicInteger();
        Consumer<Simulation.Result> look = result -> {
            if (result.violation().isPresent()) {
                failures.add(result);
                System.out.println("seed " + result.plan().seed() + ": "
                        + result.violation().get());
            }
            if (result.undecided()) {
                undecided.incrementAndGet();
                System.out.println("seed " + result.plan().seed() + ": undecided");
            }
            crashes.addAndGet(result.crashes().size());
        };
        LongStream.range(first, first + SEEDS).parallel().mapToObj(SeedRun::of).forEach(look.andThen(coverage::add));
        List<Coverage.End> leftOut = COVERAGE ? coverage.never() : List.of();
        leftOut.parallelStream().map(Coverage.End::run).forEach(look.andThen(coverage::addEnds));
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        List<Coverage.End> never = coverage.never();
        String account = SEEDS + " seeds from " + first + " in " + Math.round(seconds) + " s, "
                + Math.round(10 * SEEDS / seconds) / 10.0 + " a second; " + crashes + " crashes; processes ended at "
                + (coverage.size() - never.size()) + " of " + coverage.size() + " places"
                + (COVERAGE ? ", at " + leftOut.size() + " of them in runs of their own" : "") + "; " + undecided
                + " undecided; " + failures.size() + " wrong; not met at all: " + coverage.unknown();
        System.out.println(account);
        write(account, coverage);
        failures.stream()
                .limit(SHRUNK)
                .forEach(failure -> System.out.println(Shrinker.tell(new Shrinker(SHRINKING_RUNS).shrink(failure))));
        assertThat(failures).as(account).isEmpty();
        assertThat(undecided.get()).as(account).isZero();
        if (COVERAGE) {
            assertThat(never).as("places where no process ever ended").isEmpty();
        }
    }

    private static void write(String account, Coverage coverage) throws IOException {
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("simulation.txt"), account + "\n\n" + coverage);
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

    /**
     * Java gives sets of constants, and objects without a hash of their own, another order in each process. In seed
     * 136011451, needs of a rename were asked in such an order once.
     */
    @Test
    void theSameSeedIsTheSameRunInAnotherProcess(@TempDir Path scratch) throws IOException, InterruptedException {
        List<String> seeds = Stream.concat(
                        Stream.of("136011451"),
                        LongStream.range(FIRST, FIRST + PROCESS_SEEDS).mapToObj(Long::toString))
                .toList();
        List<String> here = seeds.parallelStream()
                .map(seed ->
                        SeedRun.FINGERPRINT + SeedRun.of(Long.parseLong(seed)).fingerprint())
                .toList();
        Path printed = scratch.resolve("printed");
        Process other = new ProcessBuilder(JavaProgram.command(List.of("-Xmx1g"), SeedRun.class, seeds))
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(other.waitFor(PROCESS_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.destroyForcibly().onExit().join();
        }
        assertThat(Files.readAllLines(printed).stream().filter(line -> line.startsWith(SeedRun.FINGERPRINT)))
                .as("of seeds %s", seeds)
                .containsExactlyElementsOf(here);
    }
}
