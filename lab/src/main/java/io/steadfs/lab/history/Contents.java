package io.steadfs.lab.history;

/**
 * What may be at a name, as a number: some sets of things, and from {@link #FIRST_FILE} on each file that some answer
 * names.
 *
 * <pre>
 *  ANYTHING ─┬─ ABSENT
 *            └─ SOMETHING ─┬─ DIRECTORY
 *                          └─ FILE ─┬─ UNSEEN
 *                                   └─ FIRST_FILE, FIRST_FILE + 1, ...
 * </pre>
 */
final class Contents {
    /** No set at all: what was known and what was seen exclude each other. */
    static final int NONE = -1;

    static final int ABSENT = 0;
    static final int DIRECTORY = 1;
    /** A file that no answer names from now on. All such files are alike. */
    static final int UNSEEN = 2;

    static final int FILE = 3;
    static final int SOMETHING = 4;
    static final int ANYTHING = 5;
    static final int FIRST_FILE = 6;

    private Contents() {}

    /** What is in both sets. */
    static int both(int one, int other) {
        if (one == other) {
            return one;
        }
        return isWithin(one, other) ? one : isWithin(other, one) ? other : NONE;
    }

    /** Whether whatever may be done and seen where the one is, may be where the other is, too. */
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
