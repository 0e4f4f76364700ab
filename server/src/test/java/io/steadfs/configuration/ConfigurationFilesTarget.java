package io.steadfs.configuration;

import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Scratch;
import io.steadfs.fuzz.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Configuration files that hold anything: settings, or a refusal that names the file. */
public final class ConfigurationFilesTarget implements FuzzTarget {
    private static final ConfigKeys KEYS = new ConfigKeys(List.of(
            ConfigKey.number("stead.test.cache", 1 << 20, 1, 1L << 40, "bytes", "Memory of a test."),
            ConfigKey.text("stead.test.host", "127.0.0.1", "Where a test is."),
            ConfigKey.flag("stead.test.sync", true, "Whether a test syncs.")));

    private final Function<RandomGenerator, byte[]> texts = Texts.inFiles(
            "stead.test { cache = 64k, sync = false }\n",
            "stead.test.host = \"h\"\nstead.test.cache = 7\n",
            "stead { test { host = ${stead.test.name}, name : h } }",
            "stead.test += [1, 2, {a : 1}]",
            "# a comment\nstead.test.sync = ${?HOME}${x}",
            "a{",
            "a.",
            "[",
            "\"\"\"");

    @Override
    public String name() {
        return "configuration-files";
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (1 << 20) + 2048L * inputBytes;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        return texts.apply(random);
    }

    @Override
    public Trial begin() throws IOException {
        Path directory = Scratch.directory("configuration");
        Path file = directory.resolve("stead.conf");
        return new Trial() {
            @Override
            public void feed(byte[] input) throws IOException {
                Files.write(file, input);
                try {
                    ConfigFile.values(Optional.of(file), KEYS, new Properties());
                } catch (ConfigException refused) {
                    if (!String.valueOf(refused.getMessage()).contains(file.toString())) {
                        throw new AssertionError("a refusal does not name the file", refused);
                    }
                }
            }

            @Override
            public void close() throws IOException {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        };
    }
}
