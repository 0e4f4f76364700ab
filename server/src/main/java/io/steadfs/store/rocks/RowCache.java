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
 * Committed rows that were read lately, so that the rows which every request passes, those of directories near the root, are
 * found without a call into RocksDB. Only rows that are there are kept; of some that are not, {@link GroupBound} knows.
 *
 * <p>Readers may look at the state of an earlier moment, so it must be known of what moments a row is true. Commits are numbered, and a
 * moment is the number of the last one that was complete when the reader began.
 *
 * <ul>
 *   <li>A row that is here has been so from the moment {@code since} on: a commit takes the rows that it changes out before it writes. So it
 *       may be given to whoever looks at {@code since} or later.
 *   <li>A row that somebody read by the state of a moment may come in if no commit behind that moment changes it. For that each
 *       commit, before it writes, notes its number for the rows that it changes. Rows share {@value #STRIPES} notes by their hash: two that share one
 *       now and then keep each other out.
 *   <li>What a commit writes in place of a row that was here comes in behind the write, true since that commit.
 * </ul>
 *
 * <p>Taking out, letting in and looking at the note are atomic for one row, since the map beneath computes entries one at a time.
 *
 * <p>Thread-safe; but commits come one after another.
 */
final class RowCache {
    /** A power of two. */
    private static final int STRIPES = 1 << 16;

    /** What a row takes beside its bytes, about: two objects here, the map's node, two array headers. */
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
        /** The first moment of which it is true. */
        private final long since;

        Row(byte[] value, long since) {
            this.value = value;
            this.since = since;
        }
    }

    /** @param bytes of memory: half for what was worked out from rows, an eighth for what cannot be there, the rest for rows; at the bound those go that are read seldom */
    RowCache(long bytes) {
        this.derived = new DerivedCache(bytes / 2, changed, () -> begun);
        this.reach = new GroupBound(bytes / 8, () -> begun, () -> complete);
        this.rows = Caffeine.newBuilder()
                .maximumWeight(bytes - bytes / 2 - bytes / 8)
                .weigher((RowKey key, Row row) -> BYTES_OF_ROW + key.keyBytes() + row.value.length)
                // In the thread that reads or commits: there are few, and it is little.
                .executor(Runnable::run)
                .build();
    }

    /** Number of the last commit that is complete. A reader asks for it before it fixes the state that it reads. */
    long moment() {
        return complete;
    }

    /** Whether no commit behind the moment has begun, so that what RocksDB answers until now is of that moment. */
    boolean isNewest(long moment) {
        return begun == moment;
    }

    /** Which rows cannot be there. */
    GroupBound reach() {
        return reach;
    }

    /** What was worked out from rows. */
    DerivedCache derived() {
        return derived;
    }

    /** The row as it is at the moment, if it is here; the caller must not change it. */
    byte @Nullable [] find(RowKey key, long moment) {
        Row row = rows.getIfPresent(key);
        return row == null || row.since > moment ? null : row.value;
    }

    /** Takes in what was read by the state of the moment, unless it may be another now. The array is not changed from here on. */
    void offer(RowKey key, byte[] value, long moment) {
        rows.asMap().compute(key, (same, present) -> {
            if (changed.get(stripe(key)) > moment) {
                return present;
            }
            return present == null ? new Row(value, moment) : present;
        });
    }

    /**
     * Before a commit writes: takes out what it changes.
     *
     * @return those that were here
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
     * When a commit has written, and nothing of it can be unseen any more.
     *
     * @param here what {@link #begin} said
     * @param changes the values now; empty for rows that are gone
     */
    void end(List<RowKey> here, Map<RowKey, Optional<byte[]>> changes) {
        long number = complete + 1;
        complete = number;
        for (RowKey key : here) {
            changes.getOrDefault(key, Optional.empty()).ifPresent(value -> offer(key, value, number));
        }
    }

    /** About how much memory the rows, and what is known from them, take now, in bytes. */
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
