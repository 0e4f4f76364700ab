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
 * Committed rows that were read lately. Every request passes the rows of directories near the root, and the cache finds them without a call
 * into RocksDB. Only rows that exist are kept; {@link GroupBound} knows some that do not.
 *
 * <p>Readers may look at the state of an earlier moment, so the cache must know at which moments a row is valid. Commits are numbered, and
 * a moment is the number of the last commit that was complete when the reader began.
 *
 * <ul>
 *   <li>A row in the cache is valid from the moment {@code since} on: a commit takes the rows that it changes out of the cache before it
 *       writes. So the row may be given to a reader whose moment is {@code since} or later.
 *   <li>A row that was read from the state of a moment may come in if no commit after that moment changes it. For that, each commit notes its
 *       number for the rows that it changes before it writes. Rows share {@value #STRIPES} notes by their hash: now and then two rows that share
 *       a note keep each other out.
 *   <li>The new value of a row that was in the cache comes in after the commit's write, and is valid since that commit.
 * </ul>
 *
 * <p>Taking out, letting in and reading the note are atomic for one row, because the map below computes entries one at a time.
 *
 * <p>Thread-safe; but commits come one after another.
 */
final class RowCache {
    /** A power of two. */
    private static final int STRIPES = 1 << 16;

    /** About how many bytes a row takes besides its own: two objects here, the map's node, two array headers. */
    private static final int BYTES_OF_ROW = 176;

    private final Cache<RowKey, Row> rows;
    private final AtomicLongArray changed = new AtomicLongArray(STRIPES);
    private final DerivedCache derived;
    private final GroupBound reach;
    /** Number of the last commit that began. */
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
     * @param bytes of memory: half for derived results, an eighth for bounds of groups, the rest for rows; at the bound, entries that are
     *     read seldom are dropped
     */
    RowCache(long bytes) {
        this.derived = new DerivedCache(bytes / 2, changed, () -> begun);
        this.reach = new GroupBound(bytes / 8, () -> begun, () -> complete);
        this.rows = Caffeine.newBuilder()
                .maximumWeight(bytes - bytes / 2 - bytes / 8)
                .weigher((RowKey key, Row row) -> BYTES_OF_ROW + key.keyBytes() + row.value.length)
                // Evictions run in the thread that reads or commits: there are few, and each is short.
                .executor(Runnable::run)
                .build();
    }

    /** Number of the last commit that is complete. A reader asks for it before it fixes the state that it reads. */
    long moment() {
        return complete;
    }

    /** Whether no commit after the moment has begun, so that RocksDB's answers up to now are of that moment. */
    boolean isNewest(long moment) {
        return begun == moment;
    }

    /** The bounds that tell which rows cannot exist. */
    GroupBound reach() {
        return reach;
    }

    /** The results that were derived from rows. */
    DerivedCache derived() {
        return derived;
    }

    /** The row as it is at the moment, if it is in the cache; the caller must not change it. */
    byte @Nullable [] find(RowKey key, long moment) {
        Row row = rows.getIfPresent(key);
        return row == null || row.since > moment ? null : row.value;
    }

    /**
     * Takes in a row that was read from the state of the moment, unless it may have changed since. The array must not be changed
     * afterwards.
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
     * Called before a commit writes: takes out the rows that it changes.
     *
     * @return the rows that were in the cache
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
     * Called when a commit has written, and every reader of the newest state sees all of it.
     *
     * @param here the result of {@link #begin}
     * @param changes the new values; empty for deleted rows
     */
    void end(List<RowKey> here, Map<RowKey, Optional<byte[]>> changes) {
        long number = complete + 1;
        complete = number;
        for (RowKey key : here) {
            changes.getOrDefault(key, Optional.empty()).ifPresent(value -> offer(key, value, number));
        }
    }

    /** About how many bytes of memory the rows, and everything known about them, take now. */
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
