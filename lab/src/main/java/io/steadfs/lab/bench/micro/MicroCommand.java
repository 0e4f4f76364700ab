package io.steadfs.lab.bench.micro;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.local.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the benchmarks of {@code it/micro} in a process of its own, because no class path of SteadFS has JMH. */
@Command(
        name = "micro",
        description = {
            "Measure parts of SteadFS, and operations of a running cluster, with JMH.",
            "--help tells its options: --out DIR, --only REGEX, --quick, --list."
        },
        customSynopsis = "stead bench micro [--out DIR] [--only REGEX] [--quick] [--list] [--help]")
public final class MicroCommand implements Callable<Integer> {
    private static final String MAIN = "io.steadfs.micro.Micro";
    private static final String TARGET = "it/micro/target";

    @Parameters(paramLabel = "OPTION", hidden = true)
    private List<String> arguments = new ArrayList<>();

    /** Passes all options on to the other process, because this command has no options of its own. */
    @Spec
    void setSpec(CommandSpec value) {
        value.parser().unmatchedOptionsArePositionalParams(true);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("stead.home", "."));
        List<String> command = new ArrayList<>(List.of(
                JavaCommand.java(),
                "-cp",
                jar(home.resolve(TARGET))
                        + File.pathSeparator
                        + home.resolve(TARGET).resolve("lib").resolve("*"),
                "-Dstead.home=" + home,
                MAIN));
        command.addAll(arguments);
        try (Cleanup cleanup = new Cleanup()) {
            Process process = new ProcessBuilder(command).inheritIO().start();
            // If this process is stopped, the process of the benchmarks must also end.
            cleanup.add(process::destroy);
            return process.waitFor();
        }
    }

    private static Path jar(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "steadfs-micro-[0-9]*.jar")) {
                for (Path jar : jars) {
                    return jar;
                }
            }
        }
        throw new IOException("the benchmarks are not in " + folder + "; build with bin/stead bench micro");
    }
}
