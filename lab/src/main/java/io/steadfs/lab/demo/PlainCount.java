package io.steadfs.lab.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Counts words without Spark and without SteadFS, byte by byte, from the original files. A word is a sequence of ASCII
 * letters between other characters. Upper-case letters count as lower-case letters.
 */
final class PlainCount {
    private final TreeMap<String, Long> counts = new TreeMap<>();

    static PlainCount of(Texts texts) throws IOException {
        PlainCount count = new PlainCount();
        for (Path file : texts.files()) {
            try (InputStream in =
                    new BufferedInputStream(Files.newInputStream(texts.folder().resolve(file)), 1 << 16)) {
                count.addWordsOf(in);
            }
        }
        return count;
    }

    void addWordsOf(InputStream in) throws IOException {
        StringBuilder word = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            int lower = next | 0x20;
            if (lower >= 'a' && lower <= 'z') {
                word.append((char) lower);
            } else {
                end(word);
            }
        }
        end(word);
    }

    private void end(StringBuilder word) {
        if (!word.isEmpty()) {
            add(word.toString(), 1);
            word.setLength(0);
        }
    }

    void add(String word, long times) {
        counts.merge(word, times, Long::sum);
    }

    SortedMap<String, LetterSum> letters() {
        TreeMap<String, LetterSum> letters = new TreeMap<>();
        counts.forEach((word, count) ->
                letters.merge(word.substring(0, 1), new LetterSum(1, count, crc32(word) * count), LetterSum::plus));
        return letters;
    }

    /**
     * The most frequent words in descending order of frequency. Words of equal frequency are in alphabetical order.
     *
     * @param limit largest number of words to return
     */
    List<WordTimes> top(int limit) {
        return counts.entrySet().stream()
                .map(entry -> new WordTimes(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(WordTimes::count).reversed().thenComparing(WordTimes::word))
                .limit(limit)
                .toList();
    }

    /** Words that begin with the letter and occur at least twice, in alphabetical order. */
    List<WordTimes> filtered(String letter) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(letter) && entry.getValue() >= 2)
                .map(entry -> new WordTimes(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The letter whose words occur most often. A filter on this letter most likely finds words. */
    String mostFrequentLetter() {
        return letters().entrySet().stream()
                .max(Comparator.comparingLong(
                        (Map.Entry<String, LetterSum> entry) -> entry.getValue().words()))
                .map(Map.Entry::getKey)
                .orElse("a");
    }

    private static long crc32(String word) {
        CRC32 crc = new CRC32();
        crc.update(word.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }
}
