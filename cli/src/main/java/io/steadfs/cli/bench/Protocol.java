package io.steadfs.cli.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Ways to create a file that this release knows. */
enum Protocol {
    /** One message makes metafile and dirent; the first write to each column makes its datafile. */
    UNIFIED;

    /** @throws IllegalArgumentException naming the text and the known ones */
    static Protocol parse(String text) {
        for (Protocol protocol : values()) {
            if (protocol.toString().equals(text)) {
                return protocol;
            }
        }
        throw new IllegalArgumentException("unknown create protocol '" + text + "'; this release has: "
                + Arrays.stream(values()).map(Protocol::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
