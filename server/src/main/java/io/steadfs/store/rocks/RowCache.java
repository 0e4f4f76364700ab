package io.steadfs.store.rocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches committed rows that were read recently. Every request reads the rows of directories near the root, and the
 * cache has them without a call into RocksDB. The cache has only rows that exist. The class {@link GroupBound} knows
 * some rows that do not exist.
 *
 * <p>Readers may read the state of an earlier moment, so the cache must know at which moments a row is valid. Commits
 * are numbered. A reader's moment is the number of the last commit that was complete when the reader began.
 *
 * <ul>
 *   <li>A row in the cache is valid from its moment {@code since} on. A commit removes the rows that it changes from
 *       the cache before it writes. So a reader gets the row if the reader's moment is {@code since} or later.
 *   <li>A reader may add a row from the state of its moment if no commit after that moment changes the row. Each commit
 *       notes its number for the rows that it changes, before it writes. There are {@value #STRIPES} notes, chosen by a
 *       hash of the row. If two rows share a note, a commit of one row may keep the other row out of the cache.
 *   <li>If a commit removed a row from the cache, the row's new value is added after the commit has written. The new
 *       value is valid from that commit on.
 * </ul>
 *
 * <p>For one row, the steps of adding, removing and reading the note are atomic. The map lets only one thread at a time
 * compute an entry.
 *
 * <p>Thread-safe. Commits must come one after another.
 */
final class RowCache {
    /** The number of notes; a power of two. */
    private static final int STRIPES = 1 << 16;

    /**
     * The approximate bytes that a row takes in addition to its own bytes: two objects here, the map's node, and two
     * array headers.
     */
    private static final int BYTES_OF_ROW = 176;

    private final Cache<RowKey, Row> rows;
    private final AtomicLongArray changed = new AtomicLongArray(STRIPES);
    private final DerivedCache derived;
    private final GroupBound reach;
    /** The number of the last commit that began. */
    private volatile long begun;

    private volatile long complete;

    private static final class Row {
        private final byte[] value;
        /** The first moment at which the row is valid. */
        private final long since;

        Row(byte[] value, long since) {
            this.value = value;
            this.since = since;
        }
    }

    /**
     * @param bytes the memory of the cache. Half is for derived results, an eighth for bounds of groups, and the rest
     *     for rows. If the memory for rows, bounds or results is full, entries that readers seldom read are dropped
     */
    RowCache(long bytes) {
        this.derived = new DerivedCache(bytes / 2, changed, () -> begun);
        this.reach = new GroupBound(bytes / 8, () -> begun, () -> complete);
        this.rows = Caffeine.newBuilder()
                .maximumWeight(bytes - bytes / 2 - bytes / 8)
                .weigher((RowKey key, Row row) -> BYTES_OF_ROW + key.keyBytes() + row.value.length)
                // The thread that reads or commits also evicts entries. Evictions are rare and short.
                .executor(Runnable::run)
                .build();
    }

    /**
     * The number of the last commit that is complete. A reader first calls this method and then chooses the state to
     * read.
     */
    long moment() {
        return complete;
    }

    /**
     * Whether no commit has begun after the moment. If no commit has begun, all answers of RocksDB until now are from
     * the state of this moment.
     */
    boolean isNewest(long moment) {
        return begun == moment;
    }

    /** The bounds of groups, which show that some rows cannot exist. */
    GroupBound reach() {
        return reach;
    }

    /** The cache of results that were derived from rows. */
    DerivedCache derived() {
        return derived;
    }

    /** The row's value at the moment; null if the cache does not have it. The caller must not change the array. */
    byte @Nullable [] find(RowKey key, long moment) {
        Row row = rows.getIfPresent(key);
        return row == null || row.since > moment ? null : row.value;
    }

    /**
     * Adds a row that was read from the state of the moment, if no later commit has changed the row. The caller must
     * not change the array afterwards.
     */
    void offer(RowKey key, byte[] value, long moment) {
        rows.asMap().compute(key, (same, present) -> {
            if (changed.get(stripe(key)) > moment) {
                return present;
            }
            return present == null ? new Row(value, moment) : present;
        });
    }

    /**
     * Begins a commit: removes the rows that the commit changes. The caller calls this method before the commit writes.
     *
     * @return the changed rows that were in the cache
     */
    List<RowKey> begin(Iterable<RowKey> changes) {
        long number = complete + 1;
        begun = number;
        List<RowKey> here = new ArrayList<>();
        for (RowKey key : changes) {
            changed.set(stripe(key), number);
            derived.note(key, number);
            reach.note(key);
            if (rows.asMap().remove(key) != null) {
                here.add(key);
            }
        }
        return here;
    }

    /**
     * Ends a commit: adds the new values of rows. The caller calls this method after the commit has written, so that
     * readers of the newest state see the whole commit.
     *
     * @param here the result of {@link #begin}
     * @param changes maps each changed row to its new value; empty for a deleted row
     */
    void end(List<RowKey> here, Map<RowKey, Optional<byte[]>> changes) {
        long number = complete + 1;
        complete = number;
        for (RowKey key : here) {
            changes.getOrDefault(key, Optional.empty()).ifPresent(value -> offer(key, value, number));
        }
    }

    /** The approximate memory of all rows, bounds and derived results, in bytes. */
    long bytes() {
        return derived.bytes() + reach.bytes() + rowBytes();
    }

    private long rowBytes() {
        return rows.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    static int stripe(RowKey key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> 16) & STRIPES - 1;
    }
}
