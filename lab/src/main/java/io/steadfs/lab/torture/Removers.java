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
 * The operations that remove whatever is under a name, by name and time. A name that all clients use may have tens of
 * thousands of removing operations in half an hour. Each file asks for only a few removing operations, so all
 * operations are sorted by time.
 */
final class Removers {
    private final Map<String, List<Event>> added = new HashMap<>();
    private final Map<String, OfName> sorted = new HashMap<>();

    /** The removing operations of one name. Operations that overlap in time have no fixed order. */
    private static final class OfName {
        /** Acknowledged operations, sorted by begin. */
        private final Event[] told;

        /** For each index, the latest end of the acknowledged operations up to the index. */
        private final long[] latestEnd;

        /** For each index, the earliest end of the acknowledged operations from the index on. */
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

        /** The first index for which the condition holds. The condition must also hold for all later indexes. */
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

    /** Adds an operation. All operations must be added before the first question. */
    void add(String path, Event event) {
        added.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private OfName at(String path) {
        return sorted.computeIfAbsent(path, key -> new OfName(added.getOrDefault(key, List.of())));
    }

    /**
     * The earliest end of an acknowledged operation that began after the given time; {@link Event#NEVER} if there is no
     * such operation.
     */
    long doneAfter(String path, long nanos) {
        return at(path).doneAfter(nanos);
    }

    /** The operations that may have acted on the name between two times. Both times are included. */
    Stream<Event> within(String path, long fromNanos, long untilNanos) {
        return at(path).within(fromNanos, untilNanos);
    }

    /** Like {@link #within}, but for the name and for each directory above the name. */
    Stream<Event> withinOrAbove(String path, long fromNanos, long untilNanos) {
        List<String> names = new ArrayList<>();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            names.add(path.substring(0, end));
        }
        return names.stream().filter(added::containsKey).flatMap(name -> within(name, fromNanos, untilNanos));
    }
}
