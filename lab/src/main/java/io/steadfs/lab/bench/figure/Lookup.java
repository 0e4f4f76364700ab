package io.steadfs.lab.bench.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How clients look up paths: the values of stead.lookup. */
enum Lookup {
    COMPONENT,
    DIRECT;

    /** @throws IllegalArgumentException if a word is none of the values */
    static List<Lookup> parseAll(List<String> words) {
        return words.stream().map(Lookup::parse).distinct().toList();
    }

    private static Lookup parse(String word) {
        return Arrays.stream(values())
                .filter(each -> each.toString().equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("--lookups '" + word + "' is neither component nor direct"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
