package io.steadfs.cli.timeline;

import io.steadfs.timeline.ServedMessage;
import io.steadfs.timeline.Span;
import java.util.Arrays;

/**
 * Draws bars on a time scale of a fixed number of characters.
 *
 * <pre>
 *   --------   sent, and not answered yet
 *   ...        arrived, and not begun
 *   ====       at work
 *   ####       being made durable
 * </pre>
 *
 * Each part of a bar takes at least one character. If two parts need the same character, the later part in this list
 * wins.
 */
final class BarLine {
    static final int CHARACTERS = 64;

    private final long nanos;

    /** @param nanos length of the whole scale in nanoseconds */
    BarLine(long nanos) {
        this.nanos = Math.max(1, nanos);
    }

    String sent(Span bar) {
        char[] line = empty();
        draw(line, bar, '-');
        return new String(line);
    }

    String served(ServedMessage message) {
        char[] line = empty();
        Span bar = message.bar();
        if (message.startedNanos() > bar.beginNanos()) {
            draw(line, new Span(bar.beginNanos(), message.startedNanos()), '.');
        }
        draw(line, new Span(message.startedNanos(), bar.endNanos()), '=');
        message.commit().ifPresent(commit -> draw(line, commit, '#'));
        return new String(line);
    }

    private static char[] empty() {
        char[] line = new char[CHARACTERS];
        Arrays.fill(line, ' ');
        return line;
    }

    private void draw(char[] line, Span span, char with) {
        int first = place(span.beginNanos());
        Arrays.fill(line, first, Math.max(first, place(span.endNanos())) + 1, with);
    }

    private int place(long moment) {
        double part = (double) moment / nanos;
        return (int) Math.max(0, Math.min(CHARACTERS - 1, Math.round(part * (CHARACTERS - 1))));
    }
}
