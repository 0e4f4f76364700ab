package io.steadfs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code bin/stead} in a tree that was never built, and in which nothing can be built. */
class HelpWithoutBuildTest {
    @TempDir
    private Path tree = Path.of("");

    @BeforeEach
    void copy() throws IOException {
        Path home = Path.of(System.getProperty("user.dir")).resolveSibling("");
        for (String file : List.of("bin/stead", "docs/command-line.md")) {
            Files.createDirectories(tree.resolve(file).resolveSibling(""));
            Files.copy(home.resolve(file), tree.resolve(file));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--help,               | `local` |",
        "'',                   | `local` |",
        "local --help,         ## `stead local`",
        "local --io 2 -h,      ## `stead local`",
        "fsck --help,          ## `stead fsck`",
        "fs --help,            ## `stead fs`",
        "bench create --help,  ## `stead bench create`"
    })
    void pagesTellWhatThereIs(String arguments, String told) throws Exception {
        Result result = run(arguments);
        assertThat(result.output).contains(told);
        assertThat(result.exitCode).isZero();
        assertThat(tree.resolve("target")).doesNotExist();
    }

    /** What only looks like a request for help is a command, which has to be built. */
    @ParameterizedTest
    @ValueSource(strings = {"local", "fs -ls -h /", "fs -help ls"})
    void commandsAreBuilt(String arguments) throws Exception {
        Result result = run(arguments);
        assertThat(result.output).contains("the build failed");
        assertThat(result.exitCode).isEqualTo(1);
    }

    @Test
    void everyCommandIsInThePage() throws Exception {
        String output = run("--help").output;
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                assertThat(output).containsPattern("`" + name + "[ `]");
            }
        });
    }

    /** @param output of both streams */
    private record Result(int exitCode, String output) {}

    private Result run(String arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", tree.resolve("bin/stead").toString()));
        if (!arguments.isEmpty()) {
            command.addAll(List.of(arguments.split(" ")));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
