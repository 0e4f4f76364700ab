package io.steadfs.mds.fence;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The set of all handles that this shard will list in no file from now on. An IO server had leased the handles and then
 * asked which of them are in use. The IO server reclaims the handles that are not in use. The set never shrinks,
 * because a handle is never used again.
 *
 * <p>The set is kept as intervals that neither overlap nor touch. The key of an interval is its last handle. So the
 * first row at or behind a handle tells whether the handle is fenced. Ranges that follow each other become one row.
 *
 * <pre>
 * +--------+      +---------+
 * | last 8 |  ->  | first 8 |
 * +--------+      +---------+
 * </pre>
 */
public final class Fences {
    private Fences() {}

    public static boolean hold(ReadView view, Handle handle) {
        try (ReadView.Cursor cursor =
                view.scan(ShardTables.FENCE, Keys.of(handle.value()), Keys.endOf(ownerOf(handle)))) {
            return cursor.next() && interval(cursor).holds(handle);
        }
    }

    /**
     * Returns the first of the handles that is fenced; empty if none is. If the leases of an IO server follow each
     * other, there are few intervals. The search walks through the intervals as long as this costs less than a lookup
     * for each handle.
     */
    public static Optional<Handle> firstHeld(ReadView view, Collection<Handle> handles) {
        Deque<Handle> left = new ArrayDeque<>(new TreeSet<>(handles));
        if (left.isEmpty()) {
            return Optional.empty();
        }
        int walk = 2 * left.size();
        try (ReadView.Cursor cursor =
                view.scan(ShardTables.FENCE, Keys.of(left.getFirst().value()), Keys.of(-1L))) {
            while (walk > 0 && cursor.next()) {
                HandleRange interval = interval(cursor);
                while (!left.isEmpty() && left.getFirst().compareTo(interval.last()) <= 0) {
                    Handle handle = left.removeFirst();
                    if (interval.holds(handle)) {
                        return Optional.of(handle);
                    }
                }
                if (left.isEmpty()) {
                    return Optional.empty();
                }
                walk--;
            }
        }
        return walk > 0
                ? Optional.empty()
                : left.stream().filter(handle -> hold(view, handle)).findFirst();
    }

    /** Returns records that add the ranges to the set. Ranges that are fenced already need no records. */
    public static List<LogRecord> add(ReadView view, List<HandleRange> ranges) {
        TreeMap<Handle, HandleRange> known = new TreeMap<>();
        TreeMap<Handle, HandleRange> all = new TreeMap<>();
        for (HandleRange range : ranges) {
            for (HandleRange near : touching(view, range)) {
                known.put(near.last(), near);
                join(all, near);
            }
            join(all, range);
        }
        List<LogRecord> records = new ArrayList<>();
        known.forEach((last, interval) -> {
            if (!interval.equals(all.get(last))) {
                records.add(new FenceMerged(last));
            }
        });
        all.forEach((last, interval) -> {
            if (!interval.equals(known.get(last))) {
                records.add(new HandlesFenced(interval));
            }
        });
        return records;
    }

    /** Intervals that share a handle with the range or lie directly beside the range. */
    private static List<HandleRange> touching(ReadView view, HandleRange range) {
        List<HandleRange> found = new ArrayList<>();
        byte[] from = Keys.of(range.first().value() - 1);
        try (ReadView.Cursor cursor = view.scan(ShardTables.FENCE, from, Keys.endOf(ownerOf(range.first())))) {
            while (cursor.next()
                    && interval(cursor).first().value() <= range.last().value() + 1) {
                found.add(interval(cursor));
            }
        }
        return found;
    }

    /**
     * Adds the range to the intervals and merges it with all intervals that it touches. Afterwards no two intervals
     * touch each other.
     *
     * @param intervals the intervals by their last handles
     */
    private static void join(NavigableMap<Handle, HandleRange> intervals, HandleRange range) {
        Handle first = range.first();
        Handle last = range.last();
        Map.Entry<Handle, HandleRange> next = intervals.ceilingEntry(new Handle(first.value() - 1));
        while (next != null && next.getValue().first().value() <= last.value() + 1) {
            HandleRange near = next.getValue();
            first = near.first().compareTo(first) < 0 ? near.first() : first;
            last = near.last().compareTo(last) > 0 ? near.last() : last;
            intervals.remove(next.getKey());
            next = intervals.ceilingEntry(new Handle(first.value() - 1));
        }
        intervals.put(last, new HandleRange(first, last));
    }

    /**
     * Intervals in the order of their last handles, but at most {@code limit}.
     *
     * @param previous only intervals whose last handle is behind this one
     */
    public static List<HandleRange> after(ReadView view, Handle previous, int limit) {
        List<HandleRange> found = new ArrayList<>();
        try (ReadView.Cursor cursor =
                view.scan(ShardTables.FENCE, Keys.after(Keys.of(previous.value())), Keys.of(-1L))) {
            while (found.size() < limit && cursor.next()) {
                found.add(interval(cursor));
            }
        }
        return found;
    }

    /** Number of intervals, counted up to a limit. */
    public static int count(ReadView view, int limit) {
        int count = 0;
        try (ReadView.Cursor cursor = view.scan(ShardTables.FENCE, Keys.of(0), Keys.of(-1L))) {
            while (count < limit && cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /** The prefix of the keys of all intervals that have this handle's owner and incarnation. */
    private static byte[] ownerOf(Handle handle) {
        byte[] prefix = new byte[Short.BYTES + 1];
        System.arraycopy(Keys.of(handle.value()), 0, prefix, 0, prefix.length);
        return prefix;
    }

    private static HandleRange interval(ReadView.Cursor cursor) {
        Handle last = new Handle(Keys.longAt(cursor.key(), 0));
        if (cursor.value().length != Long.BYTES) {
            throw new IllegalStateException(
                    "row of the fence up to " + last + " has " + cursor.value().length + " bytes, not 8");
        }
        try {
            return new HandleRange(new Handle(Keys.longAt(cursor.value(), 0)), last);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("row of a fence: " + e.getMessage(), e);
        }
    }
}
