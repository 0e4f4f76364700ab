package io.steadfs.it.simulation;

import io.steadfs.error.FsError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for one order of operations that explains every answer: each takes effect at one moment between its begin and its
 * end. One whose outcome nobody told takes effect at any moment after its begin, or never. The search of Wing and Gong
 * (1993) with Lowe's memory of configurations met (2017): a set of operations done and the state that they led to.
 *
 * <p>Of two configurations that differ only in untold operations, one that has done a part of what the other has done is
 * enough: whatever explains the rest there explains it here, since an untold operation need not be done.
 */
final class Linearization {
    private static final int MOST_CONFIGURATIONS = Integer.getInteger("stead.simulation.configurations", 3_000_000);

    /** Searches that have untold operations done only in a part of the time, where the first one was given up. */
    private static final int MORE_SEARCHES = 20;

    /** Each of these visits so much less. */
    private static final int LESS = 3;

    private final List<Act> acts;
    private final Namespace namespace;
    /** By what was done of the told operations, and the state: the untold ones that were done, none a part of another. */
    private final Map<Configuration, List<BitSet>> met = new HashMap<>();

    private final BitSet told = new BitSet();
    private int configurations;
    private BitSet best = new BitSet();
    private int[] bestState = Namespace.empty();

    /** What the search found. */
    enum Verdict {
        EXPLAINED,
        UNEXPLAINED,
        /** There were more configurations than the search may visit. */
        UNDECIDED
    }

    /** Equal by value. */
    private static final class Configuration {
        private final BitSet done;
        private final int[] state;

        Configuration(BitSet done, int[] state) {
            this.done = done;
            this.state = state;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Configuration same && done.equals(same.done) && Arrays.equals(state, same.state);
        }

        @Override
        public int hashCode() {
            return done.hashCode() * 31 + Arrays.hashCode(state);
        }
    }

    Linearization(List<Act> history) {
        acts = new ArrayList<>(history);
        acts.sort(Comparator.comparingLong(Act::beginNanos));
        namespace = new Namespace(acts);
        for (int number = 0; number < acts.size(); number++) {
            told.set(number, acts.get(number).answer().isPresent());
        }
    }

    Verdict search() {
        Verdict verdict = search(Act.NEVER, MOST_CONFIGURATIONS);
        long[] begins = acts.stream()
                .filter(act -> act.answer().isPresent())
                .mapToLong(Act::beginNanos)
                .toArray();
        for (int i = 0; verdict == Verdict.UNDECIDED && i < MORE_SEARCHES; i++) {
            // What explains the history here explains it at all. That nothing does says nothing.
            if (search(begins[i * begins.length / MORE_SEARCHES], MOST_CONFIGURATIONS / LESS) == Verdict.EXPLAINED) {
                verdict = Verdict.EXPLAINED;
            }
        }
        return verdict;
    }

    /** @param untilNanos no untold operation is done when all that began before have ended */
    private Verdict search(long untilNanos, int most) {
        met.clear();
        configurations = 0;
        Deque<Configuration> left = new ArrayDeque<>();
        left.push(new Configuration(new BitSet(), Namespace.empty()));
        while (!left.isEmpty()) {
            Configuration now = left.pop();
            if (configurations > most) {
                return Verdict.UNDECIDED;
            }
            if (part(now.done, true).equals(told)) {
                return Verdict.EXPLAINED;
            }
            if (now.done.cardinality() > best.cardinality()) {
                best = now.done;
                bestState = now.state;
            }
            // Pushed last is tried first: what was told, the earliest end before others; the untold only where these
            // fail.
            List<Integer> candidates = candidates(now.done, untilNanos);
            candidates.sort(Comparator.comparingLong(
                    (Integer number) -> -acts.get(number).endNanos()));
            List<Configuration> steps = new ArrayList<>();
            for (int number : candidates) {
                Optional<int[]> next = namespace.apply(now.state, number);
                if (next.isEmpty()) {
                    continue;
                }
                boolean isSame = Namespace.same(next.get(), now.state);
                boolean isTold = told.get(number);
                if (isTold || !isSame) {
                    BitSet done = (BitSet) now.done.clone();
                    done.set(number);
                    steps.add(new Configuration(done, next.get()));
                }
                if (isTold && neverChanges(acts.get(number))) {
                    // What is right now, and changes nothing whenever it is done, is best done now: every order that
                    // has it later is an order with it here.
                    steps = List.of(steps.get(steps.size() - 1));
                    break;
                }
            }
            steps.stream().filter(this::isNew).forEach(left::push);
        }
        return Verdict.UNEXPLAINED;
    }

    /** Notes the configuration, unless one was met that is enough. */
    private boolean isNew(Configuration step) {
        BitSet untold = part(step.done, false);
        List<BitSet> all =
                met.computeIfAbsent(new Configuration(part(step.done, true), step.state), key -> new ArrayList<>(1));
        if (all.stream().anyMatch(other -> isPart(other, untold))) {
            return false;
        }
        all.removeIf(other -> isPart(untold, other));
        all.add(untold);
        configurations++;
        return true;
    }

    private BitSet part(BitSet done, boolean ofTold) {
        BitSet part = (BitSet) done.clone();
        if (ofTold) {
            part.and(told);
        } else {
            part.andNot(told);
        }
        return part;
    }

    private static boolean isPart(BitSet part, BitSet whole) {
        BitSet more = (BitSet) part.clone();
        more.andNot(whole);
        return more.isEmpty();
    }

    /** Whether the operation, as it was answered, changes no state. A close of what is closed changes nothing only now. */
    private static boolean neverChanges(Act act) {
        return act.verb().isStat()
                || act.answer().filter(answer -> answer != FsError.OK).isPresent();
    }

    /**
     * Operations that may be next: begun before any other that is not done had ended.
     *
     * @param untilNanos untold operations may be next only while one that ended earlier is not done
     */
    private List<Integer> candidates(BitSet done, long untilNanos) {
        long firstEnd = Act.NEVER;
        List<Integer> open = new ArrayList<>();
        for (int number = done.nextClearBit(0); number < acts.size(); number = done.nextClearBit(number + 1)) {
            Act act = acts.get(number);
            if (act.beginNanos() > firstEnd) {
                break;
            }
            open.add(number);
            firstEnd = Math.min(firstEnd, act.endNanos());
        }
        long end = firstEnd;
        open.removeIf(number -> acts.get(number).beginNanos() > end || (end > untilNanos && !told.get(number)));
        return open;
    }

    /** Where the longest explanation ended, and what it could not explain. */
    String stuck() {
        StringBuilder text = new StringBuilder("no order explains these, after ")
                .append(best.cardinality())
                .append(" operations that left ")
                .append(namespace.describe(bestState));
        for (int number : candidates(best, Act.NEVER)) {
            text.append("\n    ").append(acts.get(number));
        }
        return text.toString();
    }
}
