package io.steadfs.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;

/** Compares the results that Spark read back with the plain count. */
final class SumCheck {
    private SumCheck() {}

    /** Describes every difference in words. The list is empty if all results agree. */
    static List<String> differences(PlainCount plain, JobResult job, String letter) {
        List<String> differences = new ArrayList<>();
        SortedMap<String, LetterSum> expected = plain.letters();
        TreeSet<String> letters = new TreeSet<>(expected.keySet());
        letters.addAll(job.letters().keySet());
        for (String each : letters) {
            LetterSum none = new LetterSum(0, 0, 0);
            compare(
                    "words with '" + each + "'",
                    expected.getOrDefault(each, none),
                    job.letters().getOrDefault(each, none),
                    differences);
        }
        compareWords("most frequent words", plain.top(job.top().size()), job.top(), differences);
        if (job.top().isEmpty() && !expected.isEmpty()) {
            differences.add("most frequent words: Spark found none");
        }
        compareWords("filter on '" + letter + "'", plain.filtered(letter), job.filtered(), differences);
        return differences;
    }

    private static void compareWords(
            String what, List<WordTimes> expected, List<WordTimes> found, List<String> differences) {
        if (expected.size() != found.size()) {
            differences.add(what + ": plain count has " + expected.size() + " rows, Spark " + found.size());
            return;
        }
        for (int i = 0; i < expected.size(); i++) {
            compare(what + ", row " + (i + 1), expected.get(i), found.get(i), differences);
        }
    }

    private static void compare(String what, Object expected, Object found, List<String> differences) {
        if (!expected.equals(found)) {
            differences.add(what + ": plain count has " + expected + ", Spark " + found);
        }
    }
}
