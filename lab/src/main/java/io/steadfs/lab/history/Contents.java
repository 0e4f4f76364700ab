package io.steadfs.lab.history;

/**
 * The possible contents of a name, as a number. Some numbers stand for sets of things. The numbers from
 * {@link #FIRST_FILE} on stand for files that some answer names.
 *
 * <pre>
 *  ANYTHING ─┬─ ABSENT
 *            └─ SOMETHING ─┬─ DIRECTORY
 *                          └─ FILE ─┬─ UNSEEN
 *                                   └─ FIRST_FILE, FIRST_FILE + 1, ...
 * </pre>
 */
final class Contents {
    /** The empty set: an answer contradicts what was known before. */
    static final int NONE = -1;

    static final int ABSENT = 0;
    static final int DIRECTORY = 1;
    /** A file that no later answer names. All such files are alike. */
    static final int UNSEEN = 2;

    static final int FILE = 3;
    static final int SOMETHING = 4;
    static final int ANYTHING = 5;
    static final int FIRST_FILE = 6;

    private Contents() {}

    /** Returns the things that are in both sets. */
    static int both(int one, int other) {
        if (one == other) {
            return one;
        }
        return isWithin(one, other) ? one : isWithin(other, one) ? other : NONE;
    }

    /**
     * Returns whether every step that is possible with contents {@code one} is also possible with contents
     * {@code other}.
     */
    static boolean allowsAll(int other, int one) {
        return one == other || isWithin(one, other) || (one == UNSEEN && other >= FIRST_FILE);
    }

    private static boolean isWithin(int part, int whole) {
        return switch (whole) {
            case ANYTHING -> true;
            case SOMETHING -> part != ABSENT && part != ANYTHING;
            case FILE -> part == UNSEEN || part >= FIRST_FILE;
            default -> false;
        };
    }
}
