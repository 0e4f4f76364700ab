package io.steadfs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.steadfs.cli.Main;
import io.steadfs.config.ConfigKeys;
import io.steadfs.configuration.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

/** The command lines of {@code compose.yaml} and of the units for systemd are understood, and so are their configuration files. */
class UnitsTest {
    private static final Pattern OF_COMPOSE = Pattern.compile("(?m)^    command: \\[(.*)]$");
    private static final Pattern OF_SYSTEMD = Pattern.compile("(?m)^ExecStart=/opt/steadfs/bin/stead (.*)$");

    private static Path home() {
        return Path.of(System.getProperty("user.dir")).resolveSibling("");
    }

    private static List<List<String>> commands(Path file, Pattern pattern, String separator) throws IOException {
        List<List<String>> all = new ArrayList<>();
        Matcher found = pattern.matcher(Files.readString(file));
        while (found.find()) {
            all.add(Stream.of(found.group(1).split(separator))
                    .map(word -> word.replace("\"", ""))
                    .map(word -> word.equals("%i") ? "1" : word)
                    .toList());
        }
        return all;
    }

    private static String understood(List<String> command) {
        ParseResult parsed = Main.commandLine().parseArgs(command.toArray(String[]::new));
        return parsed.subcommand().commandSpec().name();
    }

    @Test
    void composeRunsCommandsThatThereAre() throws IOException {
        assertThat(commands(home().resolve("compose.yaml"), OF_COMPOSE, ", "))
                .extracting(UnitsTest::understood)
                .containsExactly(
                        "zookeeper", "mds", "mds", "mds", "ioserver", "ioserver", "ioserver", "webui", "status");
    }

    @Test
    void systemdRunsCommandsThatThereAre() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> units = Files.list(home().resolve("conf/systemd"))) {
            for (Path unit : units.toList()) {
                commands(unit, OF_SYSTEMD, " ").forEach(command -> names.add(understood(command)));
            }
        }
        assertThat(names).containsExactlyInAnyOrder("mds", "ioserver", "zookeeper", "webui");
    }

    @Test
    void keysOfContainersAreKnown() {
        Map<String, List<ConfigKeys>> files = Map.of(
                "server.conf", List.of(ServerKeys.MDS, ServerKeys.IO), "format.conf", List.of(ServerKeys.FORMAT));
        files.forEach((name, processes) -> {
            Path file = home().resolve("conf/containers").resolve(name);
            for (ConfigKeys keys : processes) {
                assertThatCode(() -> ConfigFile.read(Optional.of(file), keys, new Properties()))
                        .as(name)
                        .doesNotThrowAnyException();
            }
        });
    }
}
