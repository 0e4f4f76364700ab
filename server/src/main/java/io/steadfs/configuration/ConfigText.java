package io.steadfs.configuration;

import com.typesafe.config.ConfigObject;
import io.steadfs.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text of a configuration file, checked before its parser sees it. The parser has no bounds of its own. Its time and memory grow with
 * the square of the depth, of the number of keys and of the words of a value. Substitutions that name each other double the text that they
 * stand for.
 */
final class ConfigText {
    static final int MOST_BYTES = 1 << 20;

    /** The most substitutions of values of the file itself: 16 that name each other make 324 copies of a text at most. */
    static final int MOST_SUBSTITUTIONS = 16;

    /** The most substitutions of any kind: several in a row under one key cost the cube of their number. */
    static final int MOST_OF_ANY_KIND = 200;

    private final Path file;
    private final String text;
    private final ConfigScan scan;

    private ConfigText(Path file, String text) {
        this.file = file;
        this.text = text;
        this.scan = new ConfigScan(file, text);
    }

    /**
     * Reads the file once, so that it may be a pipe.
     *
     * @throws ConfigException naming the file if it cannot be read or is beyond a bound
     */
    static ConfigText read(Path file) {
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
        ConfigText read = new ConfigText(file, new String(bytes, StandardCharsets.UTF_8));
        read.scan.check();
        return read;
    }

    String text() {
        return text;
    }

    /**
     * Checks the number of substitutions. A value from the environment is not expanded further, so every key may use such values.
     *
     * @param root of the file, not resolved
     * @throws ConfigException naming file and line of the first substitution that is too many
     */
    void checkSubstitutions(ConfigObject root) {
        if (scan.substitutions().size() > MOST_OF_ANY_KIND) {
            throw new ConfigException("configuration file " + file + ", line "
                    + scan.substitutions().get(MOST_OF_ANY_KIND).line() + ": more than " + MOST_OF_ANY_KIND
                    + " substitutions, which is the most");
        }
        int count = 0;
        for (ConfigScan.Substitution each : scan.substitutions()) {
            if (each.name().isEmpty() || root.containsKey(each.name())) {
                count++;
            }
            if (count > MOST_SUBSTITUTIONS) {
                throw new ConfigException("configuration file " + file + ", line " + each.line() + ": more than "
                        + MOST_SUBSTITUTIONS + " substitutions of what the file says, which is the most");
            }
        }
    }
}
