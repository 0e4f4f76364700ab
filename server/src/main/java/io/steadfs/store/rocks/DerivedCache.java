package io.steadfs.store.rocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.steadfs.store.Derived;
import io.steadfs.store.Sources;
import io.steadfs.store.Table;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps results that were derived from rows, as long as none of these rows changes: for example pages of directories that are listed again
 * and again.
 *
 * <p>Moments are those of {@link RowCache}. Before a commit writes, it notes its number for each row that it changes, as {@link RowCache}
 * does. In tables that results were derived from, it also notes the number for the row's group. Groups share {@value #STRIPES} notes by
 * table and number, and {@value #NEIGHBOURS} neighbours share one note. Objects that are made one after another are neighbours. So a
 * thousand new objects touch few notes, and hardly any note of a listing.
 *
 * <p>A result that was derived from the state of one moment is valid at a later moment if none of its notes is later than the first. A
 * reader that began after a commit was complete sees the notes of that commit, since they were made before. A reader may also have read
 * more than its moment, because a commit was just about to be complete. It keeps the result under its moment, and the notes of that commit
 * are later. So the cache is exact. If two groups share a note, a result may be derived again without need, but is never wrong.
 *
 * <p>Thread-safe.
 */
final class DerivedCache {
    /** A power of two. */
    private static final int STRIPES = 1 << 16;

    private static final int NEIGHBOURS = 4;

    /** About how many bytes one result takes, besides its own bytes and those of its sources. */
    private static final int BYTES_OF_ONE = 300;

    private final LongSupplier begun;
    private final Cache<Object, One> kept;
    /** The tables that results were derived from, with the moment from which on changes of their rows are noted. */
    private final ConcurrentHashMap<Table, Long> tables = new ConcurrentHashMap<>();

    private final AtomicLongArray changed = new AtomicLongArray(STRIPES);
    /** Notes of single rows, by {@link RowCache#stripe}. */
    private final AtomicLongArray changedRows;

    private static final class One {
        private final Derived derived;
        private final int[] groups;
        private final int[] rows;
        private final long since;

        One(Derived derived, int[] groups, int[] rows, long since) {
            this.derived = derived;
            this.groups = groups;
            this.rows = rows;
            this.since = since;
        }

        int sizeBytes() {
            return BYTES_OF_ONE + derived.sizeBytes() + Integer.BYTES * (groups.length + rows.length);
        }
    }

    /**
     * @param bytes of memory for all results; at the bound, those that are seldom asked for are dropped
     * @param changedRows the number of the last commit that changed one of the rows, noted before it writes
     * @param begun number of the last commit that began
     */
    DerivedCache(long bytes, AtomicLongArray changedRows, LongSupplier begun) {
        this.changedRows = changedRows;
        this.begun = begun;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((Object question, One one) -> one.sizeBytes())
                .executor(Runnable::run)
                .build();
    }

    /** Called when a commit of this number is about to change the row. */
    void note(RowKey row, long number) {
        if (tables.containsKey(row.table())) {
            changed.set(stripe(row.table(), row.prefix()), number);
        }
    }

    Optional<Derived> find(Object question, long moment) {
        One one = kept.getIfPresent(question);
        return one != null && one.since <= moment && isUnchanged(one) ? Optional.of(one.derived) : Optional.empty();
    }

    private boolean isUnchanged(One one) {
        return areUnchanged(changed, one.groups, one.since) && areUnchanged(changedRows, one.rows, one.since);
    }

    private static boolean areUnchanged(AtomicLongArray notes, int[] stripes, long since) {
        for (int stripe : stripes) {
            if (notes.get(stripe) > since) {
                return false;
            }
        }
        return true;
    }

    /** @param moment of the state that the result was derived from */
    void offer(Object question, Derived derived, Sources sources, long moment) {
        if (!areNoted(sources, moment)) {
            return;
        }
        int[] groups = sources.groups().stream()
                .mapToInt(group -> stripe(group.table(), group.prefix()))
                .sorted()
                .distinct()
                .toArray();
        int[] rows = sources.rows().stream()
                .mapToInt(row -> RowCache.stripe(new RowKey(row.table(), row.key())))
                .toArray();
        One one = new One(derived, groups, rows, moment);
        if (isUnchanged(one)) {
            kept.put(question, one);
        }
    }

    /** Whether each commit after the moment has noted its changes of these tables. */
    private boolean areNoted(Sources sources, long moment) {
        boolean all = true;
        Sources.@Nullable Group before = null;
        for (Sources.Group group : sources.groups()) {
            if (before == null || !group.table().equals(before.table())) {
                all &= moment >= notedFrom(group.table());
            }
            before = group;
        }
        return all;
    }

    /**
     * A commit looks for the table after its number counts as begun. So the commits that missed the table have at most the number returned
     * here.
     */
    private long notedFrom(Table table) {
        Long from = tables.putIfAbsent(table, Long.MAX_VALUE);
        if (from == null) {
            tables.put(table, begun.getAsLong());
            return Long.MAX_VALUE;
        }
        return from;
    }

    /** About how much memory they take now, in bytes. */
    long bytes() {
        return kept.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    private static int stripe(Table table, long prefix) {
        return (int) (Long.divideUnsigned(prefix, NEIGHBOURS) + table.hashCode()) & STRIPES - 1;
    }
}
