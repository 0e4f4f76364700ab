package io.steadfs.cli.process;

import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.configuration.ConfigFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/**
 * Reads the configuration of a server process from options. One option names a configuration file. Other options set
 * single keys, which override the file.
 */
public final class ConfigurationOptions {
    @Option(names = "--conf", paramLabel = "FILE", description = "configuration file (HOCON); see conf/")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "one configuration key, above the file; may be repeated")
    private Map<String, String> values = new HashMap<>();

    /** @throws io.steadfs.config.ConfigException if a value is not valid; the message contains the key and the value */
    public Settings read(ConfigKeys keys) {
        return ConfigFile.read(file, keys, properties());
    }

    /**
     * The values that the user set. The method checks these values against the keys. The caller may add further values.
     */
    public Map<String, String> values(ConfigKeys keys) {
        return ConfigFile.values(file, keys, properties());
    }

    private Properties properties() {
        Properties all = new Properties();
        System.getProperties().stringPropertyNames().forEach(name -> all.setProperty(name, System.getProperty(name)));
        all.putAll(values);
        return all;
    }
}
