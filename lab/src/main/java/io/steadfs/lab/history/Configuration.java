package io.steadfs.lab.history;

import java.util.Arrays;

/**
 * One possible state of the search: the contents of the names, and the steps taken so far.
 *
 * @param names the possible contents of each name; see {@link Contents}
 * @param changed running operations that have made their change; one bit for the slot of each operation
 * @param looked running operations that have seen what they answer; one bit for the slot of each operation
 * @param used number of changes made, for each class of changes with an unknown outcome
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
