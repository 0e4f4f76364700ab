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
    void namesOfKeysCountAsLevels() throws IOException {
        String key = "x" + ".x".repeat(9);
        assertThatThrownBy(() -> read((key + " = {").repeat(10) + "x = 1" + "}".repeat(10)))
                .hasMessageContaining("unknown configuration key 'x.x");
        assertThatThrownBy(() -> read((key + " {\n").repeat(10) + "x { y = 1 }" + "}".repeat(10)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("line 11: nested more than 100 levels deep");
        assertThat(read("stead.test { }\n".repeat(200)).get(SYNC)).isTrue();
    }

    @Test
    void aFileSaysSoMuchAndNoMore() throws IOException {
        String setting = "stead.test.host = ";
        int rest = ConfigScan.MOST_CHARACTERS - setting.length();
        for (String text :
                List.of("\"" + "q".repeat(rest - 1) + "\"", "\"\"\"" + "\n".repeat(rest), "b=1,".repeat(rest))) {
            assertThatThrownBy(() -> read("\n" + setting + text))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("configuration file " + file
                            + ", line 2: more than 16384 characters outside comments, which is the most");
        }
        String most = setting + "\"" + "q".repeat(rest - 2) + "\"";
        assertThat(read("  \n# comment\n\t" + most + "// and more").get(HOST)).hasSize(rest - 2);
    }

    @Test
    void aValueOfManyWordsNeedsQuotes() throws IOException {
        String words = "a ".repeat(ConfigScan.MOST_UNQUOTED / 2 - 1);
        assertThat(read("stead.test.host =" + words + "ab").get(HOST)).isEqualTo(words + "ab");
        assertThat(read("stead.test.host = \"" + words + words + "ab\"").get(HOST))
                .isEqualTo(words + words + "ab");
        for (String text : List.of(words + "abc", "null".repeat(129), "\"a\"".repeat(513), "\"a\"b".repeat(257))) {
            assertThatThrownBy(() -> read("\nstead.test.host =" + text))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("configuration file " + file
                            + ", line 2: a value of more than 512 characters needs quotes around it");
        }
    }

    @Test
    void substitutionsThatDoubleAreRefused() throws IOException {
        StringBuilder text = new StringBuilder("stead.test.host = ${?a0}\n");
        for (int i = 0; i < 40; i++) {
            text.append("a" + i + " = ${a" + (i + 1) + "}${a" + (i + 1) + "}\n");
        }
        assertThatThrownBy(() -> read(text + "a40 = x"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("configuration file " + file
                        + ", line 9: more than 16 substitutions of what the file says, which is the most");
        assertThatThrownBy(() -> read("\n" + "x += ${x}\n".repeat(9)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 10: more than 16 substitutions");
        String host = "stead.test.host = h\n";
        String again = "stead.test.host = ${stead.test.host}\n";
        assertThat(read(host + again.repeat(16)).get(HOST)).isEqualTo("h");
        assertThatThrownBy(() -> read(host + again.repeat(17)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 18: more than 16 substitutions");
    }

    @Test
    void theEnvironmentMayBeSubstitutedForEveryKey() throws IOException {
        String environment = "stead.test.host = ${?NOT_SET_ANYWHERE}\n";
        assertThatThrownBy(() -> read(environment.repeat(201)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "configuration file " + file + ", line 201: more than 200 substitutions, which is the most");
        assertThat(read("stead.test.host = h\n" + environment.repeat(200)).get(HOST))
                .isEqualTo("h");
        assertThat(read("stead.test.host = \"" + "${a}".repeat(20) + "\" # " + "${a}".repeat(20))
                        .get(HOST))
                .startsWith("${a}");
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
