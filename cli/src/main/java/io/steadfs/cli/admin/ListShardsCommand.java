package io.steadfs.cli.admin;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the shards with their hosts, and says what shards that join or move wait for. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "List the metadata shards with the servers that host them. Of shards that are joining or moving, say what they",
            "wait for. Of a server that is not alive, say so."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:no shard is joining or moving; its server may be away all the same",
            "1:ZooKeeper does not answer",
            "2:wrong usage",
            "3:shards are joining or moving"
        })
final class ListShardsCommand implements Callable<Integer> {
    static final int UNDER_WAY = 3;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(configuration.read(ServerKeys.LOCAL))) {
            ShardsState state = ShardsState.read(tree);
            ShownShards.print(state, json, spec.commandLine().getOut());
            return state.areServing() && state.areSettled() ? 0 : UNDER_WAY;
        }
    }
}
