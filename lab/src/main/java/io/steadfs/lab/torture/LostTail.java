package io.steadfs.lab.torture;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes a read that met the end of a datafile before the end of the file. A killed IO server loses bytes that were
 * flushed but not synced. A reader of an open file gets an error about the lost bytes. The errors about lost bytes end
 * once the file is closed at the remaining length.
 */
final class LostTail {
    private static final Pattern SAID = Pattern.compile("file offset (\\d+), .*: the datafile ends at \\d+");

    private LostTail() {}

    /** File offset of the first lost byte. Empty if the read failed for another reason. */
    static OptionalLong offset(Event read) {
        if (!read.outcome().equals("CORRUPT") || read.results().isEmpty()) {
            return OptionalLong.empty();
        }
        Matcher said = SAID.matcher(read.results().get(0));
        return said.find() ? OptionalLong.of(Long.parseLong(said.group(1))) : OptionalLong.empty();
    }
}
