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
     * @param file empty = only the properties
     * @param keys all keys that this process understands
     * @param properties settings that override the file; may hold others that do not begin with {@code stead.}
     * @throws ConfigException naming key, value, file and line
     */
    public static Settings read(Optional<Path> file, ConfigKeys keys, Properties properties) {
        Map<String, String> origins = new HashMap<>();
        return Settings.of(values(file, keys, properties, origins), origins);
    }

    /** Reads as {@link #read} does, but returns the values that the user set, by key, without defaults. */
    public static Map<String, String> values(Optional<Path> file, ConfigKeys keys, Properties properties) {
        return values(file, keys, properties, new HashMap<>());
    }

    /** @param origins gets where each value comes from, in words */
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

    /** Names such as {@code stead.home} pass facts about the launcher to the program. They are not settings. */
    private static boolean isSetting(String name) {
        return !name.equals("stead.home") && !name.equals("stead.log.level") && !name.equals("stead.log.file");
    }

    private static Map<String, String> readFile(Path file, ConfigKeys keys, Map<String, String> origins) {
        ConfigText text = ConfigText.read(file);
        Config config;
        try {
            // Anything but a regular file, such as a pipe, can be read only once, and has no directory to include
            // other files from.
            Config parsed = Files.isRegularFile(file)
                    ? ConfigFactory.parseFile(file.toFile())
                    : ConfigFactory.parseString(
                            text.text(), ConfigParseOptions.defaults().setOriginDescription(file.toString()));
            text.checkSubstitutions(parsed.root());
            config = parsed.resolve();
        } catch (com.typesafe.config.ConfigException e) {
            throw new ConfigException("configuration file " + file + ": " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            // The error is about a file that this one includes.
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
