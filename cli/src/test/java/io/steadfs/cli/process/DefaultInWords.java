package io.steadfs.cli.process;

import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number as pages write it for people: {@code 1,024}, {@code 64 KiB and one request}, {@code 10 min}. */
final class DefaultInWords {
    private static final Pattern NUMBER = Pattern.compile(
            "(about )?(?<digits>\\d{1,3}(,\\d{3})*)( (?<unit>[KMG]iB|ms|s|min|h|microseconds))?(?! to )\\b.*");

    private static final Map<String, Long> BYTES = Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private static final Map<String, Long> MICROSECONDS = Map.of(
            "microseconds", 1L,
            "ms", 1_000L,
            "s", 1_000_000L,
            "min", 60_000_000L,
            "h", 3_600_000_000L);

    private DefaultInWords() {}

    /**
     * The number that a text begins with; empty if it begins otherwise.
     *
     * @param unit of the result, as a key has it
     */
    static OptionalLong of(String text, String unit) {
        Matcher matcher = NUMBER.matcher(text);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(matcher.group("digits").replace(",", ""));
        String written = matcher.group("unit");
        if (written == null) {
            return OptionalLong.of(number);
        }
        if (BYTES.containsKey(written)) {
            return OptionalLong.of(number * BYTES.getOrDefault(written, 1L));
        }
        long micros = number * MICROSECONDS.getOrDefault(written, 1L);
        return OptionalLong.of(unit.equals("microseconds") ? micros : micros / 1_000);
    }
}
