package io.steadfs.store.rocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The greatest keys of groups ({@link Table#groupBytes}), so that the store is not searched for a row that cannot exist. Every change asks
 * whether its request was answered before, and nearly always its id is greater than all earlier ones.
 *
 * <pre>
 *  keys of a group   r1  r2   r4      r7 |
 *                                  bound-+    no row has a key behind it
 * </pre>
 *
 * <p>Moments are those of {@link RowCache}. The bound never falls. It is valid for the newest state for two reasons:
 *
 * <ul>
 *   <li>each commit raises it before it writes, if the group is here;
 *   <li>the bound of a new group is found by a look into the store. That look sees all commits that may have missed the group: those that had
 *       begun when the group came.
 * </ul>
 *
 * <p>Thread-safe; but commits come one after another.
 */
final class GroupBound {
    /** About how many bytes a group takes: key and bound with their arrays, and nodes of the maps. */
    private static final int BYTES_OF_GROUP = 300;

    private final Cache<RowKey, Group> groups;
    private final LongSupplier begun;
    private final LongSupplier complete;

    /** Returns whether the newest state of the store has rows of the key's group at or behind the key. */
    interface Look {
        boolean follows(RowKey key);
    }

    private static final class Group {
        /** Number of the last commit that had begun when the group came; -1 = not asked yet. */
        private long born = -1;

        /** How often a row of the group was looked for and did not exist. */
        private int absences;
        /** The greatest key may be this one; null = the bound is unknown, and no commit raised it. */
        private byte @Nullable [] bound;

        private boolean learned;

        synchronized boolean isBelow(RowKey key) {
            return learned && bound != null && Arrays.compareUnsigned(bound, key.bytes()) < 0;
        }

        synchronized void raise(RowKey key) {
            if (bound == null || Arrays.compareUnsigned(bound, key.bytes()) < 0) {
                bound = key.bytes();
            }
        }

        /**
         * Whether a look is worth its cost now. Not at the first absence, for the group may not be asked for again. After that less and
         * less often: if later rows exist, the keys may not be rising at all.
         */
        synchronized boolean wantsLook(LongSupplier begun, LongSupplier complete) {
            if (born < 0) {
                born = begun.getAsLong();
            }
            absences++;
            return !learned && absences > 1 && Integer.bitCount(absences) == 1 && complete.getAsLong() >= born;
        }

        synchronized void nothingFollows(RowKey key) {
            raise(key);
            learned = true;
        }
    }

    /**
     * @param bytes of memory, about; at the bound, groups that are seldom asked for are dropped
     * @param begun number of the last commit that began
     * @param complete number of the last commit that is complete
     */
    GroupBound(long bytes, LongSupplier begun, LongSupplier complete) {
        this.begun = begun;
        this.complete = complete;
        this.groups = Caffeine.newBuilder()
                .maximumSize(Math.max(1, bytes / BYTES_OF_GROUP))
                .executor(Runnable::run)
                .build();
    }

    /** Whether the row is known not to exist in the newest state. */
    boolean isBehind(RowKey key) {
        if (!key.isInGroup()) {
            return false;
        }
        Group group = groups.getIfPresent(key.group());
        return group != null && group.isBelow(key);
    }

    /** Learns that the row was looked for and does not exist. */
    void absent(RowKey key, Look look) {
        if (!key.isInGroup()) {
            return;
        }
        Group group = groups.get(key.group(), same -> new Group());
        if (group.wantsLook(begun, complete) && !look.follows(key)) {
            group.nothingFollows(key);
        }
    }

    /** About how much memory it takes now, in bytes. */
    long bytes() {
        return groups.estimatedSize() * BYTES_OF_GROUP;
    }

    /** Called when a commit that has begun is about to change the row. */
    void note(RowKey key) {
        if (!key.isInGroup()) {
            return;
        }
        Group group = groups.getIfPresent(key.group());
        if (group != null) {
            group.raise(key);
        }
    }
}
