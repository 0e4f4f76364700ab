package io.steadfs.it.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * One sort of call.
 *
 * @param weight how often it is made, beside the others
 */
record Kind(int weight, String name, Function<Choices, Call> maker) {
    /** A call with one path. */
    interface OnPath {
        @Nullable
        Object on(Actor actor, Path path) throws Exception;
    }

    /** A call with two. */
    interface OnPaths {
        @Nullable
        Object on(Actor actor, Path first, Path second) throws Exception;
    }

    /** A call with one path and something else. */
    interface OnPathAnd<T> {
        @Nullable
        Object on(Actor actor, Path path, T value) throws Exception;
    }

    private static OddPath path(Choices choices, String name) {
        return name.startsWith("fc.") ? choices.ownPath() : choices.path();
    }

    static Kind of(int weight, String name, OnPath call) {
        return new Kind(weight, name, choices -> {
            OddPath path = path(choices, name);
            return new Call(name, List.of(path), actor -> call.on(actor, path.on(actor)));
        });
    }

    static Kind ofTwo(int weight, String name, OnPaths call) {
        return new Kind(weight, name, choices -> {
            OddPath first = path(choices, name);
            OddPath second = path(choices, name);
            return new Call(name, List.of(first, second), actor -> call.on(actor, first.on(actor), second.on(actor)));
        });
    }

    static <T> Kind with(int weight, String name, Function<Choices, T> value, OnPathAnd<T> call) {
        return new Kind(weight, name, choices -> {
            OddPath path = path(choices, name);
            T chosen = value.apply(choices);
            return new Call(name, List.of(path, chosen), actor -> call.on(actor, path.on(actor), chosen));
        });
    }

    /** As often as its weight says. */
    static List<Kind> weighted(List<Kind> kinds) {
        List<Kind> weighted = new ArrayList<>();
        for (Kind kind : kinds) {
            for (int i = 0; i < kind.weight; i++) {
                weighted.add(kind);
            }
        }
        return weighted;
    }
}
