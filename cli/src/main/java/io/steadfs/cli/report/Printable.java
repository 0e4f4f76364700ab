package io.steadfs.cli.report;

import java.util.Locale;

/**
 * Makes text from other users safe to print, such as names of files. Safe text cannot change the state of a terminal or
 * the order of the text around it.
 */
public final class Printable {
    private Printable() {}

    /**
     * Returns the text itself if all its characters can be shown. Otherwise, the result shows each hidden character as
     * a Java escape, for example {@code \}{@code u001b}. The result then contains two backslashes for each backslash of
     * the text.
     */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Printable::isHidden)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (isHidden(point)) {
                for (char each : Character.toChars(point)) {
                    shown.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
                }
            } else if (point == '\\') {
                shown.append("\\\\");
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
