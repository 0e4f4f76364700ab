package io.steadfs.config;

import java.util.function.Function;

/**
 * One configuration key: name, type, default, meaning. Keys are constants in the class that uses them and are listed in
 * a {@link ConfigKeys} for start-up checks and the reference page.
 *
 * @param name dotted, beginning with {@code stead.}
 * @param defaultText as a user would write it
 * @param unit of the value in words ("bytes", "milliseconds"), or empty
 * @param meaning one sentence
 * @param parse from the user's text; throws IllegalArgumentException saying what is wrong with it
 */
public record ConfigKey<T>(String name, String defaultText, String unit, String meaning, Function<String, T> parse) {

    public ConfigKey {
        if (!name.startsWith("stead.")) {
            throw new IllegalArgumentException("configuration key " + name + " does not begin with stead.");
        }
    }

    /** Whether its value must be shown to nobody: a password or secret itself, not the name of a file that holds one. */
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
     * A whole number in a range, both ends allowed. Where the unit is one of time, the number may be written as {@code 5s} or
     * {@code 200ms}. All other numbers may end in {@code k}, {@code m} or {@code g}.
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
