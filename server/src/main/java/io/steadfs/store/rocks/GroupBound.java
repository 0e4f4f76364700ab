package io.steadfs.store.rocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the greatest keys of groups ({@link Table#groupBytes}), so that the store is not searched for rows that
 * cannot exist. Every change first asks whether its request was answered before. The id of that request is nearly
 * always greater than all earlier ids.
 *
 * <pre>
 *  keys of a group   r1  r2   r4      r7 |
 *                                  bound-+    no row has a key behind it
 * </pre>
 *
 * <p>A moment is the number of a commit, as in {@link RowCache}. A bound never falls. A bound is valid for the newest
 * state for two reasons:
 *
 * <ul>
 *   <li>If the group is known, each commit raises the bound before the commit writes.
 *   <li>A look into the store finds the bound of a new group. The look sees every commit that may have missed the
 *       group. A commit may have missed the group if it began before the group was known.
 * </ul>
 *
 * <p>Thread-safe. Commits must come one after another.
 */
final class GroupBound {
    /** The approximate bytes of one group: its key and its bound with their arrays, and the nodes of the map. */
    private static final int BYTES_OF_GROUP = 300;

    private final Cache<RowKey, Group> groups;
    private final LongSupplier begun;
    private final LongSupplier complete;

    /** Searches the newest state of the store. Returns whether the key's group has rows at or behind the key. */
    interface Look {
        boolean follows(RowKey key);
    }

    private static final class Group {
        /** The number of the last commit that had begun when the group became known; -1 = not set yet. */
        private long born = -1;

        /** The number of times that a reader searched a row of the group that does not exist. */
        private int absences;
        /**
         * If a look has learned the bound, no row of the group has a greater key. Before the look, the bound is the
         * greatest key that a commit changed; null = no commit changed a key.
         */
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
         * Whether a look into the store is worth its cost now. The first absence is no reason, because nobody may ask
         * for the group again. With further absences, looks become rarer and rarer. If a look finds later rows, the
         * keys of the group may not be rising at all.
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
     * @param bytes the approximate memory for all groups. If the groups need more memory, groups that readers seldom
     *     ask for are dropped
     * @param begun returns the number of the last commit that began
     * @param complete returns the number of the last commit that is complete
     */
    GroupBound(long bytes, LongSupplier begun, LongSupplier complete) {
        this.begun = begun;
        this.complete = complete;
        this.groups = Caffeine.newBuilder()
                .maximumSize(Math.max(1, bytes / BYTES_OF_GROUP))
                .executor(Runnable::run)
                .build();
    }

    /** Whether the bound shows that the row does not exist in the newest state. */
    boolean isBehind(RowKey key) {
        if (!key.isInGroup()) {
            return false;
        }
        Group group = groups.getIfPresent(key.group());
        return group != null && group.isBelow(key);
    }

    /** Notes that a reader searched the row and that the row does not exist. */
    void absent(RowKey key, Look look) {
        if (!key.isInGroup()) {
            return;
        }
        Group group = groups.get(key.group(), same -> new Group());
        if (group.wantsLook(begun, complete) && !look.follows(key)) {
            group.nothingFollows(key);
        }
    }

    /** The approximate memory of all groups, in bytes. */
    long bytes() {
        return groups.estimatedSize() * BYTES_OF_GROUP;
    }

    /** Notes that a commit which has begun is about to change the row. */
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
