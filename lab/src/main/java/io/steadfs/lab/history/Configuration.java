package io.steadfs.lab.history;

import java.util.Arrays;

/**
 * A state of the search: one possible result of all steps until now.
 *
 * @param names what may be at each name, see {@link Contents}
 * @param changed running changes that are made already, with one bit for the slot of each change
 * @param looked running looks that have already seen what they answer, with one bit for the slot of each look
 * @param used number of changes that were made, for each class of changes with an unknown outcome
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
