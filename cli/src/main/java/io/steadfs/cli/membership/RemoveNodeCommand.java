package io.steadfs.cli.membership;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.NodeReport;
import io.steadfs.membership.ZooKeeperTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a node in ZooKeeper that no server of this file system wrote. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Remove a node that no server could have written, with what is below it. A node that is as it should be is left",
            "alone. Servers write those of theirs anew that they can: the epoch, and at a start their own."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:removed", "1:not removed; the last line says why", "2:wrong usage"})
final class RemoveNodeCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Parameters(paramLabel = "NODE", description = "whole path, as 'membership list' tells it")
    private String node = "";

    @Option(names = "--yes", description = "do not ask")
    private boolean sure;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Settings settings = configuration.read(ServerKeys.LOCAL);
        String root = settings.get(ZooKeeperTree.ROOT);
        if (!node.startsWith(root + "/")) {
            throw new ParameterException(spec.commandLine(), node + " is not below " + root);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            Optional<NodeReport> found = NodeReport.of(tree, node);
            found.flatMap(NodeReport::wrong).ifPresent(out::println);
            if (found.isPresent() && found.get().wrong().isPresent() && !sure && !confirmed(out)) {
                return failed("nothing was removed");
            }
            Optional<String> kept = NodeReport.remove(tree, node);
            if (kept.isPresent()) {
                return failed(kept.get() + "; nothing was removed");
            }
            out.println("removed " + node);
            out.flush();
            return 0;
        }
    }

    private boolean confirmed(PrintWriter out) throws IOException {
        out.print("Remove " + node + "? Type yes: ");
        out.flush();
        // Standard input belongs to the whole process, so this method does not close it.
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return "yes".equals(in.readLine());
    }

    private int failed(String why) {
        spec.commandLine().getErr().println("stead: " + why);
        spec.commandLine().getErr().flush();
        return FAILED;
    }
}
