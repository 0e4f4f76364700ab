package io.steadfs.lab.history;

import java.util.Arrays;

/**
 * One way in which everything may have gone until now.
 *
 * @param names what may be at each; see {@link Contents}
 * @param changed operations under way that have made their change, a bit for the slot of each
 * @param looked operations under way that have seen what they answer
 * @param used of each class of changes with an unknown outcome, how many were made
 */
@SuppressWarnings("ArrayRecordComponent") // never changed; compared in one place
record Configuration(int[] names, long changed, long looked, int[] used) {
    Configuration with(int[] newNames, long newChanged, long newLooked) {
        return new Configuration(newNames, newChanged, newLooked, used);
    }

    Configuration using(int kind, int[] newNames) {
        int[] more = Arrays.copyOf(used, Math.max(used.length, kind + 1));
        more[kind]++;
        return new Configuration(newNames, changed, looked, more);
    }

    int used(int kind) {
        return kind < used.length ? used[kind] : 0;
    }

    boolean has(long bit) {
        return ((changed | looked) & bit) != 0;
    }
}
