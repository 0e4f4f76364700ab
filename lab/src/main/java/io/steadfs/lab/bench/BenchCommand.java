package io.steadfs.lab.bench;

import io.steadfs.lab.bench.compare.CompareCommand;
import io.steadfs.lab.bench.figure.FiguresCommand;
import io.steadfs.lab.bench.jobs.JobsCommand;
import io.steadfs.lab.bench.lookup.LookupCommand;
import io.steadfs.lab.bench.micro.MicroCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command {@code stead bench}: the parent command of all benchmarks. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure a cluster.",
        subcommands = {
            CreateBenchCommand.class,
            FiguresCommand.class,
            LookupCommand.class,
            JobsCommand.class,
            CompareCommand.class,
            MicroCommand.class
        })
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "which benchmark? there are: create, figures, lookup, jobs, compare, micro");
    }
}
