package io.steadfs.it.exhaustive;

import io.steadfs.it.exhaustive.Exploration.Trace;
import java.util.Optional;

/** Explores models for tests, and prints states, time and the shortest way to the first wrong state. */
final class Explored {
    private static final int MOST_STATES = 20_000_000;

    /** Whether larger models are explored, as {@code -Pexhaustive} asks. */
    static final boolean LONG = Boolean.getBoolean("stead.exhaustive.long");

    private Explored() {}

    static <S> Optional<Trace> of(SmallModel<S> model) {
        long begin = System.nanoTime();
        Exploration.Result result = Exploration.of(model, MOST_STATES);
        System.out.printf(
                "explored %s: %,d states, %,d steps, %d deep, %.1f s%n",
                model, result.states(), result.steps(), result.depth(), (System.nanoTime() - begin) / 1e9);
        result.found().ifPresent(System.out::println);
        return result.found();
    }
}
