package io.steadfs.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Runs a target over many inputs. Input n is made from the seed and n alone; trials begin at multiples of the target's
 * inputs of a trial. So the seed and the number of a failing input repeat it, with everything that went before it in its
 * trial.
 *
 * <pre>
 *  -Dstead.seed=          what all inputs follow from; the same in each run otherwise
 *  -Dstead.fuzz.inputs=   inputs of each target
 *  -Dstead.fuzz.target=   this target alone
 *  -Dstead.fuzz.number=   the inputs of one trial up to this one alone
 * </pre>
 *
 * The inputs run in a thread of their own: a trial that takes longer than {@value #MOST_SECONDS_OF_A_TRIAL} s counts as
 * stuck, and its stack is printed.
 */
public final class Fuzzing {
    private static final int MOST_SECONDS_OF_A_TRIAL = 120;
    private static final long USUAL_SEED = 20_261_122;
    private static final long SEED = Long.getLong("stead.seed", USUAL_SEED);
    private static final Path RESULTS = Path.of("target", "fuzz.md");

    private final FuzzTarget target;
    private final long inputs;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile long trialBeganNanos = System.nanoTime();
    private volatile long number;
    private volatile double mostOfTheBound;
    private volatile long processorNanos;

    private Fuzzing(FuzzTarget target, long inputs) {
        this.target = target;
        this.inputs = inputs;
    }

    /** Whether the command line leaves the target out. */
    public static boolean isLeftOut(FuzzTarget target) {
        String only = System.getProperty("stead.fuzz.target", "");
        return !only.isEmpty() && !only.equals(target.name());
    }

    /** @throws AssertionError with the failing input, as small as it got, and how to repeat it */
    public static void run(FuzzTarget target) {
        long asked = Long.getLong("stead.fuzz.inputs", 0);
        new Fuzzing(target, asked > 0 ? asked : target.inputsOfABuild()).run();
    }

    private void run() {
        System.out.println("fuzzing " + target.name() + ": -Dstead.seed=" + SEED);
        Thread thread = new Thread(this::runTrials, "fuzz " + target.name());
        thread.setDaemon(true);
        long beganNanos = System.nanoTime();
        thread.start();
        watch(thread);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError(target.name() + ": " + failed.getMessage(), failed);
        }
        note((System.nanoTime() - beganNanos) / 1e9);
    }

    private void watch(Thread thread) {
        try {
            while (thread.isAlive()) {
                thread.join(500);
                if ((System.nanoTime() - trialBeganNanos) / 1e9 > MOST_SECONDS_OF_A_TRIAL && thread.isAlive()) {
                    throw stuck(thread);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private AssertionError stuck(Thread thread) {
        AssertionError stuck = new AssertionError(target.name() + " is stuck at input " + number + ": "
                + Found.hex(input(number)) + "\n" + Found.repetition(target, SEED, number));
        stuck.setStackTrace(thread.getStackTrace());
        return stuck;
    }

    private void runTrials() {
        try {
            Optional<Long> one = Optional.ofNullable(Long.getLong("stead.fuzz.number"));
            int size = target.inputsOfATrial();
            long first = one.map(last -> last - last % size).orElse(0L);
            long end = one.map(last -> last + 1).orElse(inputs);
            for (long from = first; from < end; from += size) {
                runTrial(from, Math.min(end, from + size));
            }
            processorNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private void runTrial(long from, long end) throws Exception {
        trialBeganNanos = System.nanoTime();
        Optional<Throwable> broken;
        try (FuzzTarget.Trial trial = target.begin()) {
            broken = feed(trial, from, end);
        }
        if (broken.isPresent()) {
            throw new AssertionError(
                    new Found(target, SEED, from, number, this::input).describe(broken.get(), this::isStuckSoon),
                    broken.get());
        }
    }

    private Optional<Throwable> feed(FuzzTarget.Trial trial, long from, long end) {
        Metered metered = new Metered(target, trial);
        for (long n = from; n < end; n++) {
            number = n;
            try {
                mostOfTheBound = Math.max(mostOfTheBound, metered.feed(input(n)));
            } catch (Throwable e) {
                return Optional.of(e);
            }
        }
        try {
            trial.check();
            return Optional.empty();
        } catch (Throwable e) {
            return Optional.of(e);
        }
    }

    /** Keeps the watch from taking a long search for a small input for a stuck one. */
    private void isStuckSoon() {
        trialBeganNanos = System.nanoTime();
    }

    private byte[] input(long n) {
        return target.input(randomOf(n));
    }

    private RandomGenerator randomOf(long n) {
        return new SplittableRandom(new SplittableRandom(SEED ^ target.name().hashCode()).nextLong() ^ mixed(n));
    }

    /** Neighbours become strangers; one to one. */
    private static long mixed(long n) {
        long z = (n + 1) * 0xd1342543de82ef95L;
        z = (z ^ z >>> 32) * 0xaef17502108ef2d9L;
        return z ^ z >>> 29;
    }

    private void note(double seconds) {
        String line = String.format(
                Locale.ROOT,
                "| %s | %,d | %.1f | %.1f | %,.0f | %.0f%% | %d |%n",
                target.name(),
                inputs,
                seconds,
                processorNanos / 1e9,
                inputs / (processorNanos / 1e9),
                100 * mostOfTheBound,
                SEED);
        System.out.print("fuzzed " + line);
        try {
            if (Files.notExists(RESULTS)) {
                Files.createDirectories(RESULTS.getParent());
                Files.writeString(RESULTS, """
                        | target | inputs | seconds | of a processor | inputs/s of a processor | most heap, of its bound | seed |
                        |---|---|---|---|---|---|---|
                        """, StandardOpenOption.CREATE);
            }
            Files.writeString(RESULTS, line, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
