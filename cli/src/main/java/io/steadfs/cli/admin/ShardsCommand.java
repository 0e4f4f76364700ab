package io.steadfs.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about the metadata shards of a file system. */
@Command(
        name = "shards",
        mixinStandardHelpOptions = true,
        description = "List the metadata shards of a file system, and add more.",
        subcommands = {ListShardsCommand.class, AddShardsCommand.class})
final class ShardsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "admin shards: say list or add");
    }
}
