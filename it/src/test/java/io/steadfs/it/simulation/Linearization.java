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
 *
 * <p>If there is too much to look at, further searches try only orders in which few untold operations come one behind the
 * other, and then one that depends on them. They may find an order, and cannot say that there is none.
 */
final class Linearization {
    /** Of each search. */
    private static final int MOST_CONFIGURATIONS = 3_000_000;

    /** Most untold operations that further searches do one behind the other, before one that depends on them. */
    private static final int MOST_WAITING = 3;

    private final List<Act> acts;
    private final int most;
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
        /** There were more configurations than {@value #MOST_CONFIGURATIONS}. */
        UNDECIDED
    }

    /** Equal by value. */
    private static final class Configuration {
        private final BitSet done;
        private final int[] state;
        /** In further searches: untold operations that were done and on which nothing depended yet. */
        private final BitSet waiting;

        Configuration(BitSet done, int[] state, BitSet waiting) {
            this.done = done;
            this.state = state;
            this.waiting = waiting;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Configuration same
                    && done.equals(same.done)
                    && Arrays.equals(state, same.state)
                    && waiting.equals(same.waiting);
        }

        @Override
        public int hashCode() {
            return (done.hashCode() * 31 + Arrays.hashCode(state)) * 31 + waiting.hashCode();
        }
    }

    Linearization(List<Act> history) {
        this(history, MOST_CONFIGURATIONS);
    }

    /** @param mostConfigurations of each search */
    Linearization(List<Act> history, int mostConfigurations) {
        most = mostConfigurations;
        acts = new ArrayList<>(history);
        acts.sort(Comparator.comparingLong(Act::beginNanos));
        namespace = new Namespace(acts);
        for (int number = 0; number < acts.size(); number++) {
            told.set(number, acts.get(number).answer().isPresent());
        }
    }

    Verdict search() {
        Verdict verdict = searchOnce();
        for (int waiting = 1; verdict == Verdict.UNDECIDED && waiting <= MOST_WAITING; waiting++) {
            if (search(waiting) == Verdict.EXPLAINED) {
                verdict = Verdict.EXPLAINED;
            }
        }
        return verdict;
    }

    /** Without further searches. */
    Verdict searchOnce() {
        return search(acts.size());
    }

    /** @param mostWaiting untold operations that may be done before the next told one; all of them must matter to it */
    private Verdict search(int mostWaiting) {
        boolean soon = mostWaiting < acts.size();
        met.clear();
        configurations = 0;
        Deque<Configuration> left = new ArrayDeque<>();
        left.push(new Configuration(new BitSet(), Namespace.empty(), new BitSet()));
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
            List<Integer> candidates = candidates(now.done);
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
                if (!isTold && isSame) {
                    continue;
                }
                BitSet waiting = soon ? waiting(now.waiting, number) : now.waiting;
                boolean isNeeded = isTold ? waiting.isEmpty() : waiting.cardinality() <= mostWaiting;
                boolean isBestNow = isTold && neverChanges(acts.get(number));
                if (isNeeded || isBestNow) {
                    BitSet done = (BitSet) now.done.clone();
                    done.set(number);
                    steps.add(new Configuration(done, next.get(), waiting));
                }
                if (isBestNow) {
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

    /** The untold operations that still wait for one that depends on them, when this one is done behind them. */
    private BitSet waiting(BitSet before, int number) {
        BitSet waiting = (BitSet) before.clone();
        if (!told.get(number)) {
            waiting.set(number);
            return waiting;
        }
        Deque<Integer> needed = new ArrayDeque<>(List.of(number));
        while (!needed.isEmpty()) {
            Act each = acts.get(needed.pop());
            for (int other = waiting.nextSetBit(0); other >= 0; other = waiting.nextSetBit(other + 1)) {
                if (Namespace.depend(each, acts.get(other))) {
                    waiting.clear(other);
                    needed.push(other);
                }
            }
        }
        return waiting;
    }

    /** Notes the configuration, unless one was met that is enough. */
    private boolean isNew(Configuration step) {
        BitSet untold = part(step.done, false);
        List<BitSet> all = met.computeIfAbsent(
                new Configuration(part(step.done, true), step.state, step.waiting), key -> new ArrayList<>(1));
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

    /** Operations that may be next: begun before any other that is not done had ended. */
    private List<Integer> candidates(BitSet done) {
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
        open.removeIf(number -> acts.get(number).beginNanos() > end);
        return open;
    }

    /** Where the longest explanation ended, and what it could not explain. */
    String stuck() {
        StringBuilder text = new StringBuilder("no order explains these, after ")
                .append(best.cardinality())
                .append(" operations that left ")
                .append(namespace.describe(bestState));
        for (int number : candidates(best)) {
            text.append("\n    ").append(acts.get(number));
        }
        return text.toString();
    }
}
