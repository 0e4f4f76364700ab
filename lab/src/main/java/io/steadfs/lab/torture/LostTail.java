package io.steadfs.lab.torture;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A read that met the end of a datafile before that of the file. An IO server that is killed loses what was flushed and not
 * synced; a reader of a file that is being written hears so, until the file is closed at the length that is left.
 */
final class LostTail {
    private static final Pattern SAID = Pattern.compile("file offset (\\d+), .*: the datafile ends at \\d+");

    private LostTail() {}

    /** Offset of the first byte that was missed; empty where the read failed by anything else. */
    static OptionalLong offset(Event read) {
        if (!read.outcome().equals("CORRUPT") || read.results().isEmpty()) {
            return OptionalLong.empty();
        }
        Matcher said = SAID.matcher(read.results().get(0));
        return said.find() ? OptionalLong.of(Long.parseLong(said.group(1))) : OptionalLong.empty();
    }
}
