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
 * Keeps results that were derived from rows, as long as none of these rows changes. An example is a page of a directory
 * that clients list often.
 *
 * <p>A moment is the number of a commit, as in {@link RowCache}. Before a commit writes, it notes its number for each
 * row that it changes. If any result comes from the row's table, the commit also notes its number for the row's group.
 * There are {@value #STRIPES} notes for groups. The table and the number of a group choose its note, and
 * {@value #NEIGHBOURS} groups with neighbouring numbers share a note. Objects that are made one after another have
 * neighbouring numbers. So a thousand new objects change only a few notes, and rarely the note of a listing.
 *
 * <p>A result comes from the state of one moment. The result is valid at a later moment if none of the result's notes
 * is above its own moment. If a reader began after a commit was complete, the reader sees the notes of that commit. A
 * commit makes its notes before it writes.
 *
 * <p>A reader may also see changes of a commit that is not complete at the reader's moment. The notes of such a commit
 * are above the reader's moment, under which the reader keeps its result. So the cache never gives a wrong result. If
 * two groups share a note, a result may be derived again without need.
 *
 * <p>Thread-safe.
 */
final class DerivedCache {
    /** The number of notes for groups; a power of two. */
    private static final int STRIPES = 1 << 16;

    private static final int NEIGHBOURS = 4;

    /** The approximate bytes that one result takes in addition to its own bytes and the bytes of its sources. */
    private static final int BYTES_OF_ONE = 300;

    private final LongSupplier begun;
    private final Cache<Object, One> kept;
    /**
     * A moment for each table from which results were derived. After this moment commits note their changes of the
     * table.
     */
    private final ConcurrentHashMap<Table, Long> tables = new ConcurrentHashMap<>();

    private final AtomicLongArray changed = new AtomicLongArray(STRIPES);
    /** The notes of single rows, in the places that {@link RowCache#stripe} gives. */
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
     * @param bytes the memory for all results. If the results need more memory, results that readers seldom ask for are
     *     dropped
     * @param changedRows the notes of single rows. Each note is the number of the last commit that changed a row with
     *     this note
     * @param begun returns the number of the last commit that began
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

    /** Notes that a commit with this number is about to change the row. */
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

    /**
     * Keeps a result if it is valid.
     *
     * @param moment the moment of the state from which the result was derived
     */
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

    /** Whether every commit after the moment has noted its changes of these tables. */
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
     * The moment after which commits note their changes of the table. A commit first counts as begun and then looks for
     * the table. So if a commit did not find the table, the commit's number is at most the number that this method
     * stores.
     */
    private long notedFrom(Table table) {
        Long from = tables.putIfAbsent(table, Long.MAX_VALUE);
        if (from == null) {
            tables.put(table, begun.getAsLong());
            return Long.MAX_VALUE;
        }
        return from;
    }

    /** The approximate memory of all results, in bytes. */
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
