package io.steadfs.store.rocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the keys of groups reach ({@link Table#groupBytes}), so that a row which cannot be there is not looked for: every change asks whether its
 * request was answered before, and nearly always its id is greater than all that were.
 *
 * <pre>
 *  keys of a group   r1  r2   r4      r7 |
 *                                  bound-+    a key behind it is in no row
 * </pre>
 *
 * <p>Moments are those of {@link RowCache}. The bound never falls, and it is true of the newest state since
 *
 * <ul>
 *   <li>each commit raises it before it writes, if the group is here;
 *   <li>the bound of a group that has come here is learned by a look into the store that sees all commits which may have missed it: those
 *       that had begun when it came.
 * </ul>
 *
 * <p>Thread-safe; but commits come one after another.
 */
final class GroupBound {
    /** What a group takes, about: key and bound with their arrays, nodes of the maps. */
    private static final int BYTES_OF_GROUP = 300;

    private final Cache<RowKey, Group> groups;
    private final LongSupplier begun;
    private final LongSupplier complete;

    /** Whether the store, in its newest state, has rows of the key's group at or behind the key. */
    interface Look {
        boolean follows(RowKey key);
    }

    private static final class Group {
        /** Number of the last commit that had begun when the group was here; -1 = not asked yet. */
        private long born = -1;

        /** How often a row of it was looked for and not there. */
        private int absences;
        /** The greatest key may be this one; null = not known to be bounded, and no commit raised it. */
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
         * Whether it is worth a look now. Not at once, for who comes once may not come again; then ever more seldom, for where rows follow the
         * keys may not rise at all.
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
     * @param bytes of memory, about; at the bound those groups go that are seldom asked for
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

    /** Whether the row is known not to be there, in the newest state. */
    boolean isBehind(RowKey key) {
        if (!key.isInGroup()) {
            return false;
        }
        Group group = groups.getIfPresent(key.group());
        return group != null && group.isBelow(key);
    }

    /** The row was looked for and is not there: learns from it. */
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

    /** A commit that has begun is about to change the row. */
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
