package io.steadfs.lab.history;

/**
 * Describes by a number what may be at a name. The numbers below {@link #FIRST_FILE} are sets of things. Each number
 * from {@link #FIRST_FILE} on is a file that some answer names.
 *
 * <pre>
 *  ANYTHING ─┬─ ABSENT
 *            └─ SOMETHING ─┬─ DIRECTORY
 *                          └─ FILE ─┬─ UNSEEN
 *                                   └─ FIRST_FILE, FIRST_FILE + 1, ...
 * </pre>
 */
final class Contents {
    /** The empty set, which is the intersection of two sets that exclude each other. */
    static final int NONE = -1;

    static final int ABSENT = 0;
    static final int DIRECTORY = 1;
    /** A file that no later answer names. All files that no later answer names count as equal. */
    static final int UNSEEN = 2;

    static final int FILE = 3;
    static final int SOMETHING = 4;
    static final int ANYTHING = 5;
    static final int FIRST_FILE = 6;

    private Contents() {}

    /** Returns the intersection of two sets. */
    static int both(int one, int other) {
        if (one == other) {
            return one;
        }
        return isWithin(one, other) ? one : isWithin(other, one) ? other : NONE;
    }

    /** Whether the first contents of a name allow every step that the second contents allow. */
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
