package io.steadfs.configuration;

import com.typesafe.config.ConfigObject;
import io.steadfs.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text of a configuration file, checked before the parser reads the text. The parser has no bounds of its own. The
 * parser's time and memory grow with the square of the depth. The parser's time and memory also grow with the square of
 * the number of keys and of the words in a value. Each substitution that names another substitution can double the
 * text.
 */
final class ConfigText {
    static final int MOST_BYTES = 1 << 20;

    /**
     * The most substitutions that insert values from the file itself. A text gets at most 324 copies if 16
     * substitutions name each other.
     */
    static final int MOST_SUBSTITUTIONS = 16;

    /**
     * The most substitutions of any kind. Substitutions in a row under one key take time that grows with the cube of
     * their number.
     */
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
     * Reads the file only once, so that the file may be a pipe.
     *
     * @throws ConfigException naming the file if the file cannot be read or exceeds a bound
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
     * Checks the number of substitutions. The bound is higher for substitutions from the environment, because the
     * parser does not expand their values further.
     *
     * @param root of the parsed file, before its substitutions are resolved
     * @throws ConfigException naming the file and the line of the first substitution above a bound
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
