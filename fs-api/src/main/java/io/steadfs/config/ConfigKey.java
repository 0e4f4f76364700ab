package io.steadfs.config;

import java.util.function.Function;

/**
 * One configuration key: name, type, default and meaning. Each key is a constant of the class that uses the key. A
 * {@link ConfigKeys} lists all keys of a process, for checks at the start and for the reference page.
 *
 * @param name dotted name that begins with {@code stead.}
 * @param defaultText default value, as a user would write the value
 * @param unit unit of the value in words, for example "bytes" or "milliseconds"; empty if there is no unit
 * @param meaning meaning of the key for the user, in one sentence
 * @param parse makes a value from the user's text; throws IllegalArgumentException that says what is wrong with the
 *     text
 */
public record ConfigKey<T>(String name, String defaultText, String unit, String meaning, Function<String, T> parse) {

    public ConfigKey {
        if (!name.startsWith("stead.")) {
            throw new IllegalArgumentException("configuration key " + name + " does not begin with stead.");
        }
    }

    /**
     * Whether the key's value is a password or secret and must not be shown. The name of a file with a password may be
     * shown.
     */
    public boolean isSecret() {
        return (name.contains("password") || name.contains("secret")) && !name.endsWith(".file");
    }

    public static ConfigKey<String> text(String name, String defaultText, String meaning) {
        return new ConfigKey<>(name, defaultText, "", meaning, text -> text);
    }

    public static ConfigKey<Boolean> flag(String name, boolean defaultValue, String meaning) {
        return new ConfigKey<>(name, Boolean.toString(defaultValue), "", meaning, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        });
    }

    /**
     * Makes a key for a whole number from {@code least} to {@code most}. If the unit is a unit of time, users may write
     * the number as {@code 5s} or {@code 200ms}. All other numbers may end in {@code k}, {@code m} or {@code g}.
     */
    public static ConfigKey<Long> number(
            String name, long defaultValue, long least, long most, String unit, String meaning) {
        return new ConfigKey<>(name, Long.toString(defaultValue), unit, meaning, text -> {
            long value = TimeText.isTime(unit) ? TimeText.parse(text, unit) : parseNumber(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException("is not in " + least + ".." + most);
            }
            return value;
        });
    }

    /** Reads digits with an optional binary suffix: 64k, 1m, 2g. */
    private static long parseNumber(String text) {
        String trimmed = text.trim();
        int shift = trimmed.isEmpty() ? 0 : shift(trimmed.charAt(trimmed.length() - 1));
        String digits = shift == 0 ? trimmed : trimmed.substring(0, trimmed.length() - 1);
        try {
            return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
    }

    private static int shift(char suffix) {
        return switch (suffix) {
            case 'k', 'K' -> 10;
            case 'm', 'M' -> 20;
            case 'g', 'G' -> 30;
            default -> 0;
        };
    }
}
