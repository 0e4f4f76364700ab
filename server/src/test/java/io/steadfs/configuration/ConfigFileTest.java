package io.steadfs.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static final ConfigKey<Long> CACHE =
            ConfigKey.number("stead.test.cache", 1 << 20, 1, 1L << 40, "bytes", "Memory | of a test.");
    private static final ConfigKey<String> HOST = ConfigKey.text("stead.test.host", "127.0.0.1", "Where a test is.");
    private static final ConfigKey<Boolean> SYNC = ConfigKey.flag("stead.test.sync", true, "Whether a test syncs.");
    private static final ConfigKeys KEYS = new ConfigKeys(List.of(CACHE, HOST, SYNC));

    private final Path file;

    ConfigFileTest(@TempDir Path directory) {
        this.file = directory.resolve("test.conf");
    }

    private Settings read(String text, String... properties) throws IOException {
        Files.writeString(file, text);
        return ConfigFile.read(Optional.of(file), KEYS, properties(properties));
    }

    private static Properties properties(String... settings) {
        Properties properties = new Properties();
        for (String setting : settings) {
            int sign = setting.indexOf('=');
            properties.setProperty(setting.substring(0, sign), setting.substring(sign + 1));
        }
        return properties;
    }

    @Test
    void aFileThatIsNestedWithoutEndIsRefused() {
        assertThatThrownBy(() -> read("a{".repeat(200_000)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("line 1: nested more than 100 levels deep");
        assertThatThrownBy(() -> read("\n" + "a.".repeat(101) + "a = 1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("line 2: nested more than 100 levels deep");
        assertThatThrownBy(() -> read("a = \"\\\"\", " + "a{".repeat(101)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 1: nested more than 100 levels deep");
        assertThatThrownBy(() -> read("[".repeat(100)))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("deep");
    }

    @Test
    void aFileHasItsSize() throws IOException {
        assertThat(read("#".repeat(ConfigText.MOST_BYTES)).get(SYNC)).isTrue();
        assertThatThrownBy(() -> read("#".repeat(ConfigText.MOST_BYTES + 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("more than 1048576 bytes");
    }

    @Test
    void commentsAndQuotesNestNothing() throws IOException {
        String noise = "# " + ".".repeat(110) + "{[".repeat(110) + "\n// " + "{".repeat(110) + "\n";
        assertThat(read(noise + "stead.test.host = \"" + "[.".repeat(110) + "\"")
                        .get(HOST))
                .startsWith("[.[.");
        Files.write(file, "# f\u00fcr\nstead.test.sync = false".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ConfigFile.read(Optional.of(file), KEYS, properties()).get(SYNC))
                .isFalse();
    }

    @Test
    void aPipeIsReadOnce() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            try {
                Files.writeString(file, "stead.test.sync = false", StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();
        assertThat(ConfigFile.read(Optional.of(file), KEYS, properties()).get(SYNC))
                .isFalse();
        writer.join();
    }

    @Test
    void commandLineComesBeforeFileAndFileBeforeDefault() throws IOException {
        Settings settings = read("stead.test { cache = 64k, sync = false }", "stead.test.sync=true", "user.name=alice");
        assertThat(settings.get(CACHE)).isEqualTo(64L << 10);
        assertThat(settings.get(SYNC)).isTrue();
        assertThat(settings.get(HOST)).isEqualTo("127.0.0.1");
        assertThat(ConfigFile.read(Optional.empty(), KEYS, properties()).get(SYNC))
                .isTrue();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "# one;stead.test.cachee = 1     | unknown configuration key 'stead.test.cachee' in FILE, line 2",
                "other.key = 1                   | unknown configuration key 'other.key' in FILE, line 1",
                ";;stead.test.cache = much       | stead.test.cache: value 'much' is not a whole number (FILE, line 3)",
                "stead.test.cache = 0            | stead.test.cache: value '0' is not in 1..1099511627776 (FILE, line 1)",
                "stead.test.sync = yes           | stead.test.sync: value 'yes' is neither true nor false (FILE, line 1)",
                "stead.test.host = [a, b]        | stead.test.host in FILE, line 1 is no single value",
                "stead.test.host = {             | configuration file FILE:",
                "stead.test.host = ${nowhere}    | configuration file FILE:",
            })
    void badFiles(String text, String message) {
        assertThatThrownBy(() -> read(text.replace(';', '\n')))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message.replace("FILE", file.toString()));
    }

    @Test
    void badCommandLines() {
        assertThatThrownBy(() -> read("", "stead.tst=1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("unknown configuration key 'stead.tst' in the command line");
        assertThatThrownBy(() -> read("", "stead.test.cache=x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stead.test.cache: value 'x'");
    }

    @Test
    void missingFileIsNamed() {
        assertThatThrownBy(() -> ConfigFile.read(Optional.of(file), KEYS, properties()))
                .isInstanceOf(ConfigException.class)
                .hasMessage("configuration file " + file + " cannot be read");
    }

    @Test
    void theFileWithDefaultsCanBeUsedWithEveryHashTakenAway() throws IOException {
        String text = ReferencePage.file("A test.", KEYS);
        assertThat(text).contains("\n# Memory | of a test. In bytes.\n#stead.test.cache = 1048576\n");
        Settings asItIs = read(text);
        assertThat(asItIs.get(CACHE)).isEqualTo(1L << 20);
        String used = text.replaceAll("(?m)^#stead", "stead");
        assertThat(ConfigFile.values(Optional.of(Files.writeString(file, used)), KEYS, properties()))
                .containsOnlyKeys("stead.test.cache", "stead.test.host", "stead.test.sync")
                .containsEntry("stead.test.host", "127.0.0.1");
    }

    @Test
    void theTableHoldsEveryKey() {
        assertThat(ReferencePage.table(KEYS).lines())
                .containsExactly(
                        "| key | default | unit | meaning |",
                        "|---|---|---|---|",
                        "| `stead.test.cache` | `1048576` | bytes | Memory \\| of a test. |",
                        "| `stead.test.host` | `127.0.0.1` |  | Where a test is. |",
                        "| `stead.test.sync` | `true` |  | Whether a test syncs. |");
    }
}
