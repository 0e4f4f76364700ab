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
 * What was worked out from rows, as long as none of them changes: pages of directories that are listed again and again.
 *
 * <p>Moments are those of {@link RowCache}. Before a commit writes, it notes its number for each row that it changes, as {@link RowCache} does, and for its group in tables that matter. Groups share {@value #STRIPES} notes by
 * table and number, {@value #NEIGHBOURS} neighbours each: objects that are made one after another share one, so that a thousand new
 * objects touch few notes, and hardly one of a listing.
 *
 * <p>Something that was worked out from the state of a moment is true of a later one if none of its notes is later than the first. Whoever began to read
 * behind a commit sees its notes, since they were made before the commit was complete; whoever read more than his moment, because a commit was just about to be
 * complete, has kept it under his moment, and that commit's notes are later. So it is exact; and two that share a note only make it work out anew.
 *
 * <p>Thread-safe.
 */
final class DerivedCache {
    /** A power of two. */
    private static final int STRIPES = 1 << 16;

    private static final int NEIGHBOURS = 4;

    /** What one takes beside its own and its sources' bytes, about. */
    private static final int BYTES_OF_ONE = 300;

    private final LongSupplier begun;
    private final Cache<Object, One> kept;
    /** Tables that something was worked out from; from which moment on changes of their rows are noted. */
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
     * @param bytes of memory for all; at the bound those go that are asked for seldom
     * @param changedRows the last commit that changed one of the rows, noted before it writes
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

    /** A commit of this number is about to change the row. */
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

    /** @param moment of the state that it was worked out from */
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

    /** Whether each commit behind the moment has noted what it changed of these tables. */
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

    /** Whoever commits looks for the table after its number is known to have begun: so what was not noted is at most that. */
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
