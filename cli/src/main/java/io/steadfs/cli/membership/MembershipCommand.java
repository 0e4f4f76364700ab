package io.steadfs.cli.membership;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands about the nodes of a file system in ZooKeeper. */
@Command(
        name = "membership",
        mixinStandardHelpOptions = true,
        description = "Look at what a file system keeps in ZooKeeper, and mend it.",
        subcommands = {ListNodesCommand.class, RemoveNodeCommand.class, ProtectNodesCommand.class})
public final class MembershipCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "membership: say list, remove or protect");
    }
}
