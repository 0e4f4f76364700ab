package io.steadfs.cli;

import io.steadfs.cli.bench.BenchCommand;
import io.steadfs.cli.demo.DemoCommand;
import io.steadfs.cli.fs.FsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code bin/stead}. Each subcommand is a class of its own. */
@Command(
        name = "stead",
        mixinStandardHelpOptions = true,
        version = "stead 0.1.0-SNAPSHOT",
        description = "SteadFS.",
        subcommands = {FsCommand.class, DemoCommand.class, BenchCommand.class})
public final class Main implements Runnable {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.err);
    }
}
