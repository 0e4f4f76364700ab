package io.steadfs.configuration;

import io.steadfs.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text of a configuration file, before its parser sees it. That has no bounds of its own: time and memory grow with the
 * square of the depth, and the depth with the text.
 */
final class ConfigText {
    static final int MOST_BYTES = 1 << 20;
    /** Levels of braces and brackets, and names of one key between dots: each far above what any key needs. */
    static final int MOST_DEPTH = 100;

    private ConfigText() {}

    /** @throws ConfigException naming the file if it cannot be read, is no UTF-8, or is beyond a bound */
    static void check(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigException("configuration file " + file + " cannot be read");
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new ConfigException("configuration file " + file + " has " + Files.size(file) + " bytes, at most "
                        + MOST_BYTES + " go");
            }
            checkDepth(file, Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ConfigException("configuration file " + file + " cannot be read: " + e, e);
        }
    }

    /** Braces and dots in comments and in quotes count too: none of ours has so many of them. */
    private static void checkDepth(Path file, String text) {
        int line = 1;
        int level = 0;
        int names = 0;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each == '{' || each == '[') {
                level++;
            } else if (each == '}' || each == ']') {
                level = Math.max(0, level - 1);
            } else if (each == '.') {
                names++;
            } else if (each == '\n') {
                line++;
            }
            if (Character.isWhitespace(each) || ",:={}[]".indexOf(each) >= 0) {
                names = 0;
            }
            if (level > MOST_DEPTH || names > MOST_DEPTH) {
                throw new ConfigException("configuration file " + file + ", line " + line + ": nested more than "
                        + MOST_DEPTH + " levels deep");
            }
        }
    }
}
