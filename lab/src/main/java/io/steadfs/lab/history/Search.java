package io.steadfs.lab.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Searches for an order of steps that explains all answers. In the order, each step happens at one moment between its
 * begin and its end.
 *
 * <p>The search tests linearizability like the search of Wing and Gong, with the delay of Lowe. The search goes through
 * time once and keeps all configurations that are possible at the current time. The search takes a step when the step
 * ends, or earlier if another step that ends needs the step.
 *
 * <p>Three rules keep the number of configurations small:
 *
 * <ul>
 *   <li>A look that sees what it answered is taken at once, because a look changes nothing for other steps.
 *   <li>A change with an unknown outcome need not be made. If two configurations differ only in such changes, the
 *       search keeps the configuration that used fewer. {@link PerhapsMade} only counts changes that do the same.
 *   <li>A file that no later answer names is like any other such file.
 * </ul>
 *
 * <p>While no operation is running, a configuration consists of the contents of the names and the used unknown changes.
 */
final class Search {
    /**
     * A step whose answer no order explains. The flag {@code undecided} says that the search gave up at the step
     * instead.
     */
    record Stuck(Timed at, boolean undecided) {}

    private static final int MOST_AT_ONCE = Long.SIZE;

    /** For a whole history, the limit of visited configurations is this many times the limit for one step. */
    private static final int MOST_TIMES = 100;

    private final List<Timed> steps;
    private final long mostConfigurations;
    private final int[] events;
    private final int[] lastNamed;
    private final int nameCount;

    private final Step[] slots = new Step[MOST_AT_ONCE];
    private final Map<Integer, Integer> slotOf = new HashMap<>();
    private final PerhapsMade perhaps = new PerhapsMade();
    private Frontier configurations;
    private int next;
    private long visited;
    private long visitedNow;
    private long visitedSince;

    /**
     * @param steps all steps
     * @param start contents of each name at the beginning
     * @param mostConfigurations largest number of configurations that the search visits for one step before it gives up
     */
    Search(List<Timed> steps, int[] start, long mostConfigurations) {
        this.steps = steps;
        this.mostConfigurations = mostConfigurations;
        this.nameCount = start.length;
        this.events = events(steps);
        this.lastNamed = lastNamed();
        this.configurations = only(start);
    }

    private Frontier only(int[] names) {
        Frontier only = new Frontier(perhaps);
        only.add(new Configuration(names, 0, 0, new int[0]));
        return only;
    }

    /**
     * Returns the begins and ends of steps by time. An event is twice the step's number, plus 1 for an end. At equal
     * times, begins come first, so that the steps overlap.
     */
    private static int[] events(List<Timed> steps) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            order.add(2 * i);
            if (steps.get(i).certain()) {
                order.add(2 * i + 1);
            }
        }
        order.sort((one, other) -> {
            int byTime = Long.compare(time(steps, one), time(steps, other));
            return byTime != 0 ? byTime : Integer.compare(one & 1, other & 1);
        });
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private static long time(List<Timed> steps, int event) {
        Timed step = steps.get(event >> 1);
        return (event & 1) == 0 ? step.beginNanos() : step.endNanos();
    }

    /** Returns, by file, the event at which the last step that sees the file ends. */
    private int[] lastNamed() {
        int[] last = new int[Contents.FIRST_FILE];
        for (int i = 0; i < events.length; i++) {
            if ((events[i] & 1) == 1 && steps.get(events[i] >> 1).step() instanceof Step.Look look) {
                if (look.seen() >= last.length) {
                    int size = last.length;
                    last = Arrays.copyOf(last, Math.max(look.seen() + 1, 2 * size));
                    Arrays.fill(last, size, last.length, -1);
                }
                last[look.seen()] = i;
            }
        }
        return last;
    }

    private boolean isNamedLater(int file) {
        return file < lastNamed.length && lastNamed[file] >= next;
    }

    /** Goes on to the next step whose answer no order explains; empty = the history has ended. */
    Optional<Stuck> advance() {
        while (next < events.length) {
            int event = events[next];
            Timed step = steps.get(event >> 1);
            boolean fine = (event & 1) == 0 ? begin(event >> 1, step) : end(event >> 1);
            next++;
            if (!fine) {
                boolean undecided = tooMany() || slotOf.size() >= MOST_AT_ONCE;
                forget();
                return Optional.of(new Stuck(step, undecided));
            }
        }
        return Optional.empty();
    }

    long visited() {
        return visited;
    }

    private boolean tooMany() {
        return visitedNow > mostConfigurations || visitedSince > MOST_TIMES * mostConfigurations;
    }

    private Step named(Step step) {
        if (step instanceof Step.Put put && put.thing() >= Contents.FIRST_FILE && !isNamedLater(put.thing())) {
            return step.unseen(put.thing());
        }
        return step;
    }

    private boolean begin(int number, Timed timed) {
        Step step = named(timed.step());
        if (!timed.certain()) {
            perhaps.add(step);
            return true;
        }
        if (slotOf.size() == MOST_AT_ONCE) {
            return false;
        }
        int slot = 0;
        while (slots[slot] != null) {
            slot++;
        }
        slots[slot] = step;
        slotOf.put(number, slot);
        if (step.looks()) {
            Frontier after = new Frontier(perhaps);
            configurations.forEach(one -> after.add(looked(one)));
            configurations = after;
        }
        return true;
    }

    /** Returns the configuration after all looks that are running and see what they answered. */
    private Configuration looked(Configuration one) {
        long looked = one.looked();
        for (int slot : slotOf.values()) {
            long bit = 1L << slot;
            Step step = slots[slot];
            if (step != null && (looked & bit) == 0 && step.looks() && step.after(one.names()) == one.names()) {
                looked |= bit;
            }
        }
        return looked == one.looked() ? one : one.with(one.names(), one.changed(), looked);
    }

    private boolean end(int number) {
        Integer slot = slotOf.get(number);
        if (slot == null) {
            return true;
        }
        Frontier with = taken(1L << slot);
        if (with.isEmpty() || tooMany()) {
            return false;
        }
        slotOf.remove(number);
        slots[slot] = null;
        long others = ~(1L << slot);
        Frontier after = new Frontier(perhaps);
        Optional<Integer> gone = unseenFrom(number);
        Map<Integer, Integer> moved = gone.map(perhaps::unseen).orElse(Map.of());
        gone.ifPresent(
                file -> slotOf.values().forEach(each -> slots[each] = step(each).unseen(file)));
        with.forEach(one -> after.add(new Configuration(
                gone.map(file -> unseen(one.names(), file)).orElse(one.names()),
                one.changed() & others,
                one.looked() & others,
                PerhapsMade.renumbered(one.used(), moved))));
        configurations = after;
        return true;
    }

    private Step step(int slot) {
        Step step = slots[slot];
        if (step == null) {
            throw new IllegalStateException("nothing is under way in slot " + slot);
        }
        return step;
    }

    /** Returns the file that this step was the last to see; empty = there is none. */
    private Optional<Integer> unseenFrom(int number) {
        return steps.get(number).step() instanceof Step.Look look
                        && look.seen() >= Contents.FIRST_FILE
                        && lastNamed[look.seen()] == next
                ? Optional.of(look.seen())
                : Optional.empty();
    }

    private static int[] unseen(int[] names, int file) {
        int[] after = names;
        for (int name = 0; name < names.length; name++) {
            if (names[name] == file) {
                after = after == names ? names.clone() : after;
                after[name] = Contents.UNSEEN;
            }
        }
        return after;
    }

    /** Returns every configuration in which the step was taken. Other steps are taken first if the step needs them. */
    private Frontier taken(long bit) {
        Frontier with = new Frontier(perhaps);
        Frontier without = new Frontier(perhaps);
        Deque<Configuration> left = new ArrayDeque<>();
        configurations.forEach(one -> sort(one, bit, with, without, left));
        visitedNow = 0;
        while (!left.isEmpty() && !tooMany()) {
            Configuration one = left.remove();
            visited++;
            visitedNow++;
            visitedSince++;
            for (int slot : slotOf.values()) {
                Step step = step(slot);
                long slotBit = 1L << slot;
                if (one.has(slotBit)) {
                    continue;
                }
                int[] after = step.after(one.names());
                if (after.length != 0) {
                    Configuration taken = step.looks()
                            ? one.with(after, one.changed(), one.looked() | slotBit)
                            : one.with(after, one.changed() | slotBit, one.looked());
                    sort(looked(taken), bit, with, without, left);
                }
            }
            for (int kind = 0; kind < perhaps.size(); kind++) {
                if (perhaps.isLeft(kind, one)) {
                    int[] after = perhaps.step(kind).after(one.names());
                    if (after.length != 0 && after != one.names()) {
                        sort(looked(perhaps.use(kind, one, after)), bit, with, without, left);
                    }
                }
            }
        }
        return with;
    }

    private static void sort(Configuration one, long bit, Frontier with, Frontier without, Deque<Configuration> left) {
        if (one.has(bit)) {
            with.add(one);
        } else if (without.add(one)) {
            left.add(one);
        }
    }

    /**
     * Goes on as if nothing were known. The contents of all names may be anything. A running change, or a change with
     * an unknown outcome, may have been made or may be made later.
     */
    private void forget() {
        for (int slot : slotOf.values()) {
            if (!step(slot).looks()) {
                perhaps.add(step(slot));
            }
            slots[slot] = null;
        }
        slotOf.clear();
        int[] anything = new int[nameCount];
        Arrays.fill(anything, Contents.ANYTHING);
        configurations = only(anything);
        visitedNow = 0;
        visitedSince = 0;
    }
}
