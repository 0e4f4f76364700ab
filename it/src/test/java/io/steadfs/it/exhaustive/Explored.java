package io.steadfs.it.exhaustive;

import io.steadfs.it.exhaustive.Exploration.Trace;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Explores models for tests, and prints states, time and the shortest way to the first wrong state. */
final class Explored {
    private static final int MOST_STATES = 40_000_000;

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

    /** The shortest way to a state that is as good as can be; empty if there is none. */
    static <S> Optional<Trace> goodEnd(SmallModel<S> model, Predicate<S> isGood) {
        return of(new SmallModel<S>() {
            @Override
            public S start() {
                return model.start();
            }

            @Override
            public void steps(S state, BiConsumer<String, S> to) {
                model.steps(state, to);
            }

            @Override
            public Optional<String> wrong(S state) {
                return isGood.test(state) ? Optional.of("all goes well") : Optional.empty();
            }

            @Override
            public String toString() {
                return "a good end of " + model;
            }
        });
    }
}
