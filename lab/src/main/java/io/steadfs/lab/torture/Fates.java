package io.steadfs.lab.torture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Computes where the thing that an operation brought to a name may be at the end.
 *
 * <p>A stay is the time that a thing may be under one name. A stay begins with an operation that may have brought the
 * thing there. A stay ends with the first acknowledged operation that took the thing away. The operation that ends the
 * stay must have begun after the end of the operation that began the stay.
 *
 * <p>A rename leads from one stay to another. The stays and renames of all files form one graph, with cycles where
 * operations overlap in time. This class follows the graph once, backwards from the places where things end.
 */
final class Fates {
    /** Names that the thing may have at the end. The flag says whether the thing may also have no name. */
    record Fate(Set<String> ends, boolean mayBeGone) {}

    private static final int GONE = 0;

    private final Removers removers;
    private final Map<Event, Stay> stays = new HashMap<>();

    /** The name of each bit. Bit {@link #GONE} means that the thing has no name. */
    private final List<String> names = new ArrayList<>(List.of(""));

    private static final class Stay {
        /** Earlier stays from which a thing may have come into this stay. */
        private final List<Stay> before = new ArrayList<>();

        private final BitSet ends = new BitSet();
    }

    /** @param arrivals every operation that may have brought something to a name, by name */
    Fates(Removers removers, Map<String, ? extends Collection<Event>> arrivals) {
        this.removers = removers;
        arrivals.forEach((path, all) -> {
            names.add(path);
            all.forEach(arrival -> connect(path, arrival, names.size() - 1));
        });
        spread();
    }

    private Stay stay(Event arrival) {
        return stays.computeIfAbsent(arrival, unused -> new Stay());
    }

    private void connect(String path, Event arrival, int name) {
        Stay stay = stay(arrival);
        long untilNanos = removers.doneAfter(path, arrival.overNanos());
        if (untilNanos == Event.NEVER) {
            stay.ends.set(name);
        }
        removers.within(path, arrival.beginNanos(), untilNanos)
                .filter(remover -> !remover.equals(arrival))
                .forEach(remover -> {
                    boolean moves = remover.op() == Event.Op.RENAME
                            && remover.argument(0).equals(path);
                    if (moves) {
                        stay(remover).before.add(stay);
                    } else {
                        stay.ends.set(GONE);
                    }
                });
    }

    private void spread() {
        Deque<Stay> grown = new ArrayDeque<>(stays.values());
        while (!grown.isEmpty()) {
            Stay stay = grown.remove();
            for (Stay before : stay.before) {
                int known = before.ends.cardinality();
                before.ends.or(stay.ends);
                if (before.ends.cardinality() > known) {
                    grown.add(before);
                }
            }
        }
    }

    Fate of(Event arrival) {
        BitSet ends = stay(arrival).ends;
        Set<String> paths = new TreeSet<>();
        ends.stream().filter(name -> name != GONE).mapToObj(names::get).forEach(paths::add);
        return new Fate(paths, ends.get(GONE) || !arrival.ok());
    }
}
