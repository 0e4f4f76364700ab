package io.steadfs.lab.torture;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes a read that reached the end of a datafile before the end of the file.
 *
 * <p>An IO server that is killed loses bytes that were flushed but not synced. A reader of a file that is being written
 * gets an error at the lost bytes. The error ends once the file is closed at the remaining length.
 */
final class LostTail {
    private static final Pattern SAID = Pattern.compile("file offset (\\d+), .*: the datafile ends at \\d+");

    private LostTail() {}

    /** Returns the offset in the file of the first missing byte; empty = the read did not fail in this way. */
    static OptionalLong offset(Event read) {
        if (!read.outcome().equals("CORRUPT") || read.results().isEmpty()) {
            return OptionalLong.empty();
        }
        Matcher said = SAID.matcher(read.results().get(0));
        return said.find() ? OptionalLong.of(Long.parseLong(said.group(1))) : OptionalLong.empty();
    }
}
