package io.steadfs.it.exhaustive;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Something with few enough states to look at all of them.
 *
 * @param <S> a state: a value, by which equal ones are known
 */
interface SmallModel<S> {
    S start();

    /** Gives every step that is possible in a state: in words, and the state after it. */
    void steps(S state, BiConsumer<String, S> to);

    /** What is wrong in a state; empty if nothing is. */
    Optional<String> wrong(S state);
}
