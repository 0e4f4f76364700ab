package io.steadfs.pages;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Compares the rows of a list that people keep with the things that the code declares. */
public final class Rows {
    private Rows() {}

    /**
     * Fails unless each declared thing has one row and each row is of a declared thing.
     *
     * @param where the list is, for the message
     */
    public static void match(String where, Collection<String> declared, Collection<String> rows) {
        List<String> missing = without(declared, rows);
        List<String> tooMuch = without(rows, declared);
        if (!missing.isEmpty() || !tooMuch.isEmpty()) {
            throw new AssertionError(where + told(": missing", missing) + told(": too much", tooMuch));
        }
    }

    /** Each row of the second takes one equal row of the first. */
    private static List<String> without(Collection<String> all, Collection<String> less) {
        List<String> rest = new ArrayList<>(all);
        less.forEach(rest::remove);
        return rest;
    }

    private static String told(String how, List<String> rows) {
        return rows.isEmpty() ? "" : how + "\n    " + String.join("\n    ", rows) + "\n";
    }
}
