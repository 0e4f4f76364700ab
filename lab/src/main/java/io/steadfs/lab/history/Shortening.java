package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds a few steps that suffice to show that no order explains all answers. Information is left out only if the other
 * steps become easier to explain. The following information may be left out:
 *
 * <ul>
 *   <li>All steps that ended before a chosen time. At the chosen time, anything may be at the names. A step that was
 *       running at the chosen time may have been done before, later, or never.
 *   <li>The answer of a look.
 *   <li>The answer of a change. A change without its answer may have been done late or never.
 * </ul>
 */
final class Shortening {
    private static final int MOST_TRIES = 1000;

    private final List<Timed> steps;
    private final int[] start;
    private final long mostConfigurations;
    private int tries;

    /**
     * @param enough the steps whose answers no order explains
     * @param others steps that may have been taken at the same time, and that do not explain the answers
     */
    record Shortened(List<Timed> enough, List<Timed> others) {}

    /** @param steps steps of a history, one of which no order explains */
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
     * Finds the latest begin from which on no order explains the stuck step, whatever was at the names before. Returns
     * the steps from the latest begin on.
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
