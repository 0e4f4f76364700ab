package io.steadfs.configuration;

import io.steadfs.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
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

    private static final String ENDS_OF_NAMES = ",:={}[]";

    private ConfigText() {}

    /**
     * Reads it once, so that it may be a pipe.
     *
     * @throws ConfigException naming the file if it cannot be read or is beyond a bound
     */
    static String read(Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigException("configuration file " + file + " cannot be read");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw new ConfigException("configuration file " + file + " cannot be read: " + e, e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new ConfigException(
                    "configuration file " + file + " has more than " + MOST_BYTES + " bytes, which is the most");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        int level = 0;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            Depth depth = Depth.after(line, level);
            if (depth.most() > MOST_DEPTH) {
                throw new ConfigException("configuration file " + file + ", line " + number + ": nested more than "
                        + MOST_DEPTH + " levels deep");
            }
            level = depth.level();
        }
        return text;
    }

    /**
     * Of one line. What stands in a comment or in quotes counts for nothing; of quotes over several lines only the first
     * and last line is known to be in them.
     *
     * @param level of braces and brackets behind the line
     * @param most levels, or names of a key, in it
     */
    private record Depth(int level, int most) {
        static Depth after(String line, int before) {
            int level = before;
            int names = 0;
            int most = 0;
            boolean quoted = false;
            for (int at = 0; at < line.length(); at++) {
                char each = line.charAt(at);
                if (quoted && each == '\\') {
                    at++;
                } else if (each == '"') {
                    quoted = !quoted;
                } else if (!quoted && (each == '#' || line.startsWith("//", at))) {
                    break;
                } else if (!quoted && (each == '{' || each == '[')) {
                    level++;
                } else if (!quoted && (each == '}' || each == ']')) {
                    level = Math.max(0, level - 1);
                } else if (!quoted && each == '.') {
                    names++;
                }
                if (!quoted && (Character.isWhitespace(each) || ENDS_OF_NAMES.indexOf(each) >= 0)) {
                    names = 0;
                }
                most = Math.max(most, Math.max(level, names));
            }
            return new Depth(level, most);
        }
    }
}
