package io.steadfs.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The configuration of a server process: a HOCON file, overridden by the command line ({@code --set} or Java's
 * {@code -Dstead.rpc.threads=2}). The process starts only if every key is known and every value is usable.
 */
public final class ConfigFile {
    private static final String PREFIX = "stead.";

    private ConfigFile() {}

    /**
     * Reads and checks all settings.
     *
     * @param file the configuration file; empty = read only the properties
     * @param keys all keys that this process understands
     * @param properties settings that override the file. Properties whose names do not begin with {@code stead.} are
     *     ignored
     * @throws ConfigException naming the key, the value, the file and the line
     */
    public static Settings read(Optional<Path> file, ConfigKeys keys, Properties properties) {
        Map<String, String> origins = new HashMap<>();
        return Settings.of(values(file, keys, properties, origins), origins);
    }

    /** Reads and checks all settings. Returns a map of only those values that the user set, without defaults. */
    public static Map<String, String> values(Optional<Path> file, ConfigKeys keys, Properties properties) {
        return values(file, keys, properties, new HashMap<>());
    }

    /** @param origins receives, for each key, a description of the place where the key's value is set */
    private static Map<String, String> values(
            Optional<Path> file, ConfigKeys keys, Properties properties, Map<String, String> origins) {
        Map<String, String> values = new HashMap<>();
        if (file.isPresent()) {
            values.putAll(readFile(file.get(), keys, origins));
        }
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && isSetting(name)) {
                keys.checkNames(List.of(name), "the command line");
                values.put(name, properties.getProperty(name));
                origins.put(name, "the command line");
            }
        }
        Settings settings = Settings.of(values);
        for (ConfigKey<?> key : keys.list()) {
            settings.get(key);
        }
        return values;
    }

    /** The launcher passes facts to the program in properties such as {@code stead.home}, which are no settings. */
    private static boolean isSetting(String name) {
        return !name.equals("stead.home") && !name.equals("stead.log.level") && !name.equals("stead.log.file");
    }

    private static Map<String, String> readFile(Path file, ConfigKeys keys, Map<String, String> origins) {
        ConfigText text = ConfigText.read(file);
        Config config;
        try {
            // A file that is not regular, such as a pipe, can be read only once. Such a file also has no directory from
            // which it could include other files.
            Config parsed = Files.isRegularFile(file)
                    ? ConfigFactory.parseFile(file.toFile())
                    : ConfigFactory.parseString(
                            text.text(), ConfigParseOptions.defaults().setOriginDescription(file.toString()));
            text.checkSubstitutions(parsed.root());
            config = parsed.resolve();
        } catch (com.typesafe.config.ConfigException e) {
            throw new ConfigException("configuration file " + file + ": " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            // The file that nests too deeply is one that this file includes.
            throw new ConfigException("configuration file " + file + " is nested too deeply", e);
        }
        Map<String, String> values = new HashMap<>();
        for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
            ConfigValue value = entry.getValue();
            String where = file + ", line " + value.origin().lineNumber();
            keys.checkNames(List.of(entry.getKey()), where);
            if (value.valueType() == ConfigValueType.LIST || value.valueType() == ConfigValueType.OBJECT) {
                throw new ConfigException(
                        "configuration key " + entry.getKey() + " in " + where + " is no single value");
            }
            values.put(entry.getKey(), String.valueOf(value.unwrapped()));
            origins.put(entry.getKey(), where);
            checkValue(keys, entry.getKey(), values, where);
        }
        return values;
    }

    private static void checkValue(ConfigKeys keys, String name, Map<String, String> values, String where) {
        for (ConfigKey<?> key : keys.list()) {
            if (key.name().equals(name)) {
                try {
                    Settings.of(values).get(key);
                } catch (ConfigException e) {
                    throw new ConfigException(e.getMessage() + " (" + where + ")", e);
                }
            }
        }
    }
}
