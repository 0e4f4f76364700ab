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
 * Operations that remove whatever has a name, indexed by name and time. In half an hour, the names that all clients
 * compete for get tens of thousands of removers. Each file needs only a few of the removers, so the removers are sorted
 * by time.
 */
final class Removers {
    private final Map<String, List<Event>> added = new HashMap<>();
    private final Map<String, OfName> sorted = new HashMap<>();

    /** The removers of one name. Removers that overlap in time have no known order. */
    private static final class OfName {
        /** Acknowledged removers, sorted by their beginning. */
        private final Event[] told;

        /** At each index, the latest end of the acknowledged removers up to the index. */
        private final long[] latestEnd;

        /** At each index, the earliest end of the acknowledged removers from the index on. */
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

        /**
         * Returns the first index for which the test holds. If the test holds for an index, it must hold for all later
         * indexes.
         */
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

    /** Adds a remover. All removers must be added before the first question. */
    void add(String path, Event event) {
        added.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private OfName at(String path) {
        return sorted.computeIfAbsent(path, key -> new OfName(added.getOrDefault(key, List.of())));
    }

    /**
     * Takes the acknowledged removers of the name that began after the given time. Returns the earliest end;
     * {@link Event#NEVER} = there is no such remover.
     */
    long doneAfter(String path, long nanos) {
        return at(path).doneAfter(nanos);
    }

    /** Returns the removers that may have acted on the name between two times, both included. */
    Stream<Event> within(String path, long fromNanos, long untilNanos) {
        return at(path).within(fromNanos, untilNanos);
    }

    /** Returns what {@link #within} returns for the name and for each directory above the name. */
    Stream<Event> withinOrAbove(String path, long fromNanos, long untilNanos) {
        List<String> names = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            names.add(path.substring(0, end));
        }
        return names.stream().filter(added::containsKey).flatMap(name -> within(name, fromNanos, untilNanos));
    }
}
