package io.steadfs.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about the metadata shards of a file system. */
@Command(
        name = "shards",
        mixinStandardHelpOptions = true,
        description = "List the metadata shards of a file system, add more, and move them to other servers.",
        subcommands = {ListShardsCommand.class, AddShardsCommand.class, MoveShardCommand.class})
final class ShardsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "admin shards: say list, add or move");
    }
}
