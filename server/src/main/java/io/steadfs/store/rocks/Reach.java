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
final class Reach {
    /** So many groups, two for a session; those go that are seldom asked for. */
    private static final int MOST_GROUPS = 1 << 16;

    /** Where rows follow, the keys of the group do not come in order; it is not worth more looks. */
    private static final int MOST_LOOKS = 4;

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

        private int looks;
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

        /** Whether it is worth a look now. */
        synchronized boolean wants(LongSupplier begun, LongSupplier complete) {
            if (born < 0) {
                born = begun.getAsLong();
            }
            return !learned && looks < MOST_LOOKS && complete.getAsLong() >= born;
        }

        synchronized void looked(RowKey key, boolean follows) {
            looks++;
            if (!follows) {
                raise(key);
                learned = true;
            }
        }
    }

    /**
     * @param begun number of the last commit that began
     * @param complete number of the last commit that is complete
     */
    Reach(LongSupplier begun, LongSupplier complete) {
        this.begun = begun;
        this.complete = complete;
        this.groups = Caffeine.newBuilder()
                .maximumSize(MOST_GROUPS)
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
        if (group.wants(begun, complete)) {
            group.looked(key, look.follows(key));
        }
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
