package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes with an unknown outcome that have begun. Changes that do the same form a class. Only the number of changes in
 * a class counts, because each of the changes may still be made at any time. A class keeps its number as long as the
 * class exists.
 *
 * <p>A class that has had {@link #MANY} changes counts as endless: its used changes are no longer counted. The check
 * may then miss a wrong answer that needs more changes than the class has.
 */
final class PerhapsMade {
    private static final int MANY = 8;

    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private final Map<Step, Integer> kinds = new HashMap<>();
    private final List<Integer> free = new ArrayList<>();

    void add(Step step) {
        add(step, 1);
    }

    private int add(Step step, int count) {
        Integer kind = kinds.get(step);
        if (kind != null) {
            counts.set(kind, counts.get(kind) + count);
            return kind;
        }
        int made;
        if (free.isEmpty()) {
            made = steps.size();
            steps.add(step);
            counts.add(count);
        } else {
            made = free.remove(free.size() - 1);
            steps.set(made, step);
            counts.set(made, count);
        }
        kinds.put(step, made);
        return made;
    }

    /** Returns the number of classes. Classes are numbered from 0, and some may be empty. */
    int size() {
        return steps.size();
    }

    Step step(int kind) {
        return steps.get(kind);
    }

    private boolean many(int kind) {
        return counts.get(kind) >= MANY;
    }

    /** Returns whether the class has a change that the configuration has not used. */
    boolean isLeft(int kind, Configuration to) {
        return many(kind) || counts.get(kind) > to.used(kind);
    }

    /** Uses one change of the class. */
    Configuration use(int kind, Configuration in, int[] namesAfter) {
        return many(kind) ? in.with(namesAfter, in.changed(), in.looked()) : in.using(kind, namesAfter);
    }

    /**
     * Returns whether {@code one} leaves at least as good changes as {@code other}. For each further change that
     * {@code one} used, it must have a spare change that can stand in.
     */
    boolean leavesAsMuch(int[] one, int[] other) {
        boolean less = true;
        for (int kind = 0; kind < one.length && less; kind++) {
            less = one[kind] <= (kind < other.length ? other[kind] : 0);
        }
        return less || leavesAsGood(one, other);
    }

    private boolean leavesAsGood(int[] one, int[] other) {
        int[] more = new int[Math.max(one.length, other.length)];
        for (int kind = 0; kind < more.length; kind++) {
            if (!many(kind)) {
                more[kind] = (kind < other.length ? other[kind] : 0) - (kind < one.length ? one[kind] : 0);
            }
        }
        for (int kind = 0; kind < more.length; kind++) {
            for (int better = 0; more[kind] < 0 && better < steps.size(); better++) {
                boolean some = many(better) || (better < more.length && more[better] > 0);
                if (some && steps.get(better).canStandFor(steps.get(kind))) {
                    int count = many(better) ? -more[kind] : Math.min(-more[kind], more[better]);
                    more[kind] += count;
                    if (!many(better)) {
                        more[better] -= count;
                    }
                }
            }
            if (more[kind] < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Moves changes that create this file to classes that create any unseen file. The caller must then pass each
     * configuration to {@link #renumbered}.
     */
    Map<Integer, Integer> unseen(int file) {
        Map<Integer, Integer> moved = new HashMap<>();
        for (int kind = 0; kind < steps.size(); kind++) {
            Step step = steps.get(kind);
            Step unseen = step.unseen(file);
            if (counts.get(kind) > 0 && unseen != step) {
                int count = counts.get(kind);
                kinds.remove(step);
                counts.set(kind, 0);
                moved.put(kind, add(unseen, count));
            }
        }
        free.addAll(moved.keySet());
        return moved;
    }

    static int[] renumbered(int[] used, Map<Integer, Integer> moved) {
        int[] after = used;
        for (Map.Entry<Integer, Integer> entry : moved.entrySet()) {
            int from = entry.getKey();
            int to = entry.getValue();
            if (from < after.length && after[from] > 0) {
                after = Arrays.copyOf(after, Math.max(after.length, to + 1));
                after[to] += after[from];
                after[from] = 0;
            }
        }
        return after;
    }
}
