package io.steadfs.lab.torture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Operations that take whatever is under a name away from it, by name and time. Names that all clients fight for see
 * tens of thousands of them in half an hour, and each file asks for its few: hence sorted by time.
 */
final class Removers {
    private final Map<String, List<Event>> added = new HashMap<>();
    private final Map<String, OfName> sorted = new HashMap<>();

    /** Those of one name. Several that overlap in time keep no order. */
    private static final class OfName {
        /** Acknowledged ones, by begin. */
        private final Event[] told;

        /** The latest end of an acknowledged one up to each. */
        private final long[] latestEnd;

        /** The earliest end of an acknowledged one from each on. */
        private final long[] earliestEnd;

        private final List<Event> untold;

        OfName(List<Event> all) {
            told = all.stream()
                    .filter(Event::ok)
                    .sorted(Comparator.comparingLong(Event::beginNanos))
                    .toArray(Event[]::new);
            untold = all.stream().filter(Predicate.not(Event::ok)).toList();
            latestEnd = Arrays.stream(told).mapToLong(Event::endNanos).toArray();
            Arrays.parallelPrefix(latestEnd, Math::max);
            earliestEnd = Arrays.stream(told).mapToLong(Event::endNanos).toArray();
            for (int i = told.length - 2; i >= 0; i--) {
                earliestEnd[i] = Math.min(earliestEnd[i], earliestEnd[i + 1]);
            }
        }

        /** The first index whose property holds, which holds for all after it too. */
        private static int first(int size, Predicate<Integer> holds) {
            int low = 0;
            int high = size;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (holds.test(middle)) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        long doneAfter(long nanos) {
            int from = first(told.length, i -> told[i].beginNanos() > nanos);
            return from == told.length ? Event.NEVER : earliestEnd[from];
        }

        Stream<Event> within(long fromNanos, long untilNanos) {
            int from = first(told.length, i -> latestEnd[i] >= fromNanos);
            int until = first(told.length, i -> told[i].beginNanos() > untilNanos);
            return Stream.concat(
                    IntStream.range(from, Math.max(from, until))
                            .mapToObj(i -> told[i])
                            .filter(event -> event.endNanos() >= fromNanos),
                    untold.stream().filter(event -> event.beginNanos() <= untilNanos));
        }
    }

    /** All are added before any is asked for. */
    void add(String path, Event event) {
        added.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private OfName at(String path) {
        return sorted.computeIfAbsent(path, key -> new OfName(added.getOrDefault(key, List.of())));
    }

    /** When the first acknowledged one that began after that time ended; {@link Event#NEVER} if none did. */
    long doneAfter(String path, long nanos) {
        return at(path).doneAfter(nanos);
    }

    /** Those that may have acted on the name between two times, both included. */
    Stream<Event> within(String path, long fromNanos, long untilNanos) {
        return at(path).within(fromNanos, untilNanos);
    }

    /** As {@link #within}, of the name and of each directory above it. */
    Stream<Event> withinOrAbove(String path, long fromNanos, long untilNanos) {
        List<String> names = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            names.add(path.substring(0, end));
        }
        return names.stream().filter(added::containsKey).flatMap(name -> within(name, fromNanos, untilNanos));
    }
}
