package io.steadfs.cli.membership;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.membership.ZooKeeperTree;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Changes the access rights of the nodes in ZooKeeper. After this command, only servers can change the nodes. */
@Command(
        name = "protect",
        mixinStandardHelpOptions = true,
        description = {
            "Let only who knows the cluster secret change the nodes; everybody may read them. Servers do so when they start,",
            "and when the secret changes; this looks at every single node."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all nodes are protected", "1:not all; the last line says why", "2:wrong usage"})
final class ProtectNodesCommand implements Callable<Integer> {
    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(configuration.read(ServerKeys.LOCAL))) {
            spec.commandLine().getOut().println(tree.protectAll() + " node(s) changed; all are protected");
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
