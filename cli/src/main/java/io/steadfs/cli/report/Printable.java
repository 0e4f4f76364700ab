package io.steadfs.cli.report;

import java.util.Locale;

/** Shows text from others, such as names of files, so that it changes neither a terminal's state nor the order of the text around it. */
public final class Printable {
    private Printable() {}

    /**
     * The text itself, or, if it has characters that cannot be shown, with these as Java writes them, {@code \}{@code u001b}, and with its
     * backslashes doubled.
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
