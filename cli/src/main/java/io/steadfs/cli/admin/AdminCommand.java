package io.steadfs.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands by which an administrator changes a running file system. */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        description = "Change a running file system: add metadata shards, or move them to other servers.",
        subcommands = ShardsCommand.class)
public final class AdminCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "admin: say shards");
    }
}
