package io.steadfs.cli.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Parent of the benchmarks. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure a cluster.",
        subcommands = CreateBenchCommand.class)
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which benchmark? there is: create");
    }
}
