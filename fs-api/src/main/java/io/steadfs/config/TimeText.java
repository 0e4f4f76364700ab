package io.steadfs.config;

import java.util.Map;

/**
 * Reads a time from a user's text: a whole number and {@code us}, {@code ms}, {@code s}, {@code m}, {@code h} or
 * {@code d}. A number without a unit has the unit of its key.
 */
final class TimeText {
    private static final Map<String, Long> MICROSECONDS = Map.of(
            "us", 1L, "ms", 1_000L, "s", 1_000_000L, "m", 60_000_000L, "h", 3_600_000_000L, "d", 86_400_000_000L);
    private static final Map<String, Long> MICROSECONDS_OF_KEY =
            Map.of("microseconds", 1L, "milliseconds", 1_000L, "seconds", 1_000_000L);
    private static final int LONGEST_UNIT = 2;

    private TimeText() {}

    /** Whether this unit of a key is a unit of time. */
    static boolean isTime(String keyUnit) {
        return MICROSECONDS_OF_KEY.containsKey(keyUnit);
    }

    /**
     * Reads a time.
     *
     * @param keyUnit unit of the result, and of a number without a unit
     * @throws IllegalArgumentException if the text is no time; the message says what is wrong
     */
    static long parse(String text, String keyUnit) {
        String trimmed = text.trim();
        int digits = trimmed.length();
        while (digits > 0 && Character.isLetter(trimmed.charAt(digits - 1))) {
            digits--;
        }
        long number = number(trimmed.substring(0, digits).trim());
        String unit = trimmed.substring(digits);
        if (unit.isEmpty()) {
            return number;
        }
        Long factor = unit.length() > LONGEST_UNIT ? null : MICROSECONDS.get(unit);
        if (factor == null) {
            throw new IllegalArgumentException(
                    "is no time: a whole number and us, ms, s, m, h or d, or one of " + keyUnit);
        }
        return inUnitOfKey(number, factor, keyUnit);
    }

    private static long inUnitOfKey(long number, long factor, String keyUnit) {
        long keyFactor = MICROSECONDS_OF_KEY.getOrDefault(keyUnit, 1L);
        long microseconds;
        try {
            microseconds = Math.multiplyExact(number, factor);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is too long a time", e);
        }
        if (microseconds % keyFactor != 0) {
            throw new IllegalArgumentException("is no whole number of " + keyUnit);
        }
        return microseconds / keyFactor;
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
    }
}
