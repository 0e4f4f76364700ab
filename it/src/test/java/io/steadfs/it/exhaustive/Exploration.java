package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at every state that a model can reach, by the number of steps to it. So the first wrong one is reached by as few steps
 * as any.
 */
final class Exploration<S> {
    /**
     * @param states that were reached
     * @param steps between them that were tried
     * @param depth most steps that a state needs to be reached
     * @param found the first wrong state; the rest was not looked at then
     */
    record Result(int states, long steps, int depth, Optional<Trace> found) {}

    /** The way to a wrong state. */
    record Trace(List<String> steps, String wrong) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < steps.size(); i++) {
                text.append(String.format("%3d  %s%n", i + 1, steps.get(i)));
            }
            return text.append("     ").append(wrong).toString();
        }
    }

    private final SmallModel<S> model;
    private final int mostStates;
    private final Set<S> known = new HashSet<>();
    private final List<S> states = new ArrayList<>();
    private final List<Integer> from = new ArrayList<>();
    private long steps;
    private int depth;

    private Exploration(SmallModel<S> model, int mostStates) {
        this.model = model;
        this.mostStates = mostStates;
    }

    /** @throws IllegalStateException if there are more states than that */
    static <S> Result of(SmallModel<S> model, int mostStates) {
        return new Exploration<>(model, mostStates).run();
    }

    private Result run() {
        add(model.start(), 0);
        int endOfDepth = 1;
        for (int next = 0; next < states.size(); next++) {
            if (next == endOfDepth) {
                depth++;
                endOfDepth = states.size();
            }
            Optional<String> wrong = model.wrong(states.get(next));
            if (wrong.isPresent()) {
                return result(Optional.of(new Trace(wayTo(next), wrong.get())));
            }
            int parent = next;
            model.steps(states.get(next), (name, after) -> {
                steps++;
                add(after, parent);
            });
        }
        return result(Optional.empty());
    }

    private Result result(Optional<Trace> found) {
        return new Result(states.size(), steps, depth, found);
    }

    private void add(S state, int parent) {
        if (known.add(state)) {
            if (states.size() == mostStates) {
                throw new IllegalStateException("more than " + mostStates + " states");
            }
            states.add(state);
            from.add(parent);
        }
    }

    private List<String> wayTo(int number) {
        List<String> way = new ArrayList<>();
        for (int at = number; at != 0; at = from.get(at)) {
            S after = states.get(at);
            List<String> names = new ArrayList<>();
            model.steps(states.get(from.get(at)), (name, to) -> {
                if (to.equals(after)) {
                    names.add(name);
                }
            });
            way.add(names.get(0));
        }
        Collections.reverse(way);
        return way;
    }
}
