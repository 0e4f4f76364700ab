package io.steadfs.lab.bench.word;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values of an enum as users write them: in lower case. */
public final class Words {
    private Words() {}

    public static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The values that the words name, each once.
     *
     * @param option name of the option, for the error
     * @throws IllegalArgumentException if a word is none of the values
     */
    public static <E extends Enum<E>> List<E> parseAll(Class<E> type, String option, List<String> words) {
        return words.stream().map(word -> parse(type, option, word)).distinct().toList();
    }

    private static <E extends Enum<E>> E parse(Class<E> type, String option, String word) {
        E[] values = type.getEnumConstants();
        return Arrays.stream(values)
                .filter(each -> of(each).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(option + " '" + word + "' is none of "
                        + Arrays.stream(values).map(Words::of).collect(Collectors.joining(", "))));
    }
}
