package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds a few steps that suffice to show that no order explains all answers. Each change of the shortening may only
 * make the remaining steps easier to explain. The shortening therefore does only three things:
 *
 * <ul>
 *   <li>The shortening drops all steps that ended before some time. The names may then hold anything at that time. A
 *       change that was running then may be made before or after that time, or never.
 *   <li>The shortening drops a look.
 *   <li>The shortening drops the answer of a change. The change may then be made late or never.
 * </ul>
 */
final class Shortening {
    private static final int MOST_TRIES = 1000;

    private final List<Timed> steps;
    private final int[] start;
    private final long mostConfigurations;
    private int tries;

    /**
     * A short example of answers that no order explains.
     *
     * @param enough the steps whose answers no order explains
     * @param others changes that may have been made at the same time, and do not explain the answers
     */
    record Shortened(List<Timed> enough, List<Timed> others) {}

    /** @param steps all steps, of which one has an answer that no order explains */
    Shortening(List<Timed> steps, int[] start, long mostConfigurations) {
        this.steps = steps;
        this.start = start;
        this.mostConfigurations = mostConfigurations;
    }

    Shortened of(Timed stuck) {
        List<Timed> window = window(stuck);
        int[] before = window.size() == all(stuck).size() && !fails(window, anything()) ? start : anything();
        List<Timed> left = new ArrayList<>(window);
        for (int i = 0; i < left.size() && tries < MOST_TRIES; ) {
            Timed step = left.get(i);
            if (!step.certain()) {
                i++;
                continue;
            }
            List<Timed> less = new ArrayList<>(left);
            if (step.step().looks()) {
                less.remove(i);
            } else {
                less.set(i, step.perhaps());
            }
            if (fails(less, before)) {
                left = less;
            } else {
                i++;
            }
        }
        List<Timed> enough = left.stream().filter(Timed::certain).toList();
        return new Shortened(
                enough, left.stream().filter(step -> !step.certain()).toList());
    }

    private int[] anything() {
        int[] anything = new int[start.length];
        Arrays.fill(anything, Contents.ANYTHING);
        return anything;
    }

    private List<Timed> all(Timed stuck) {
        return between(Long.MIN_VALUE, stuck.endNanos());
    }

    /**
     * Returns the steps from the latest time on from which no order explains the answers, whatever the names held at
     * that time.
     */
    private List<Timed> window(Timed stuck) {
        Set<Long> begins = new LinkedHashSet<>();
        steps.stream()
                .filter(step -> step.certain() && step.endNanos() <= stuck.endNanos())
                .map(Timed::beginNanos)
                .sorted((one, other) -> Long.compare(other, one))
                .forEach(begins::add);
        List<Long> latestFirst = List.copyOf(begins);
        int fails = -1;
        int fine = -1;
        for (int i = 0; i < latestFirst.size(); i = 2 * i + 1) {
            if (fails(between(latestFirst.get(i), stuck.endNanos()), anything())) {
                fails = i;
                break;
            }
            fine = i;
        }
        if (fails < 0) {
            return all(stuck);
        }
        while (fails - fine > 1) {
            int middle = (fails + fine) >>> 1;
            if (fails(between(latestFirst.get(middle), stuck.endNanos()), anything())) {
                fails = middle;
            } else {
                fine = middle;
            }
        }
        return between(latestFirst.get(fails), stuck.endNanos());
    }

    private List<Timed> between(long from, long until) {
        List<Timed> window = new ArrayList<>();
        for (Timed step : steps) {
            if (step.endNanos() < from || step.beginNanos() > until) {
                continue;
            }
            if (step.certain() && step.beginNanos() >= from && step.endNanos() <= until) {
                window.add(step);
            } else if (!step.step().looks()) {
                window.add(step.perhaps());
            }
        }
        return window;
    }

    private boolean fails(List<Timed> some, int[] before) {
        tries++;
        return new Search(some, before, mostConfigurations)
                .advance()
                .filter(stuck -> !stuck.undecided())
                .isPresent();
    }
}
