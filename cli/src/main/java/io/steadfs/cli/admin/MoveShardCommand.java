package io.steadfs.cli.admin;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardMoves;
import io.steadfs.membership.ShardPlace;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves a shard to another metadata server, and waits until it serves there. */
@Command(
        name = "move",
        mixinStandardHelpOptions = true,
        description = {
            "Move a metadata shard with all that it holds to another metadata server. The shard serves while its store is",
            "copied, and stops for the end of that; clients wait and go on. The move goes on if this command is stopped; see",
            "stead admin shards list. To cancel a move, move the shard to the server where it is."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the shard serves at the server",
            "1:the shard does not move; the last line says why",
            "2:wrong usage",
            "3:the shard moves, and does not serve there yet; the last lines say what it waits for"
        })
final class MoveShardCommand implements Callable<Integer> {
    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Parameters(index = "0", paramLabel = "SHARD", description = "number of the shard")
    private int shard;

    @Option(
            names = "--to",
            paramLabel = "NUMBER",
            required = true,
            description = "number of the metadata server to which the shard moves")
    private int target;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "how long to wait until the shard serves there (default: 600)")
    private long waitSeconds;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        ShardsWait wait = new ShardsWait(spec, waitSeconds, json);
        ServerId server = target();
        try (ZooKeeperTree tree = ZooKeeperTree.connect(configuration.read(ServerKeys.LOCAL))) {
            ShardPlace place = new ShardMoves(tree).begin(shard, server);
            return wait.after("shard " + shard + words(place), tree, this::serves);
        }
    }

    private ServerId target() {
        try {
            return ServerId.mds(target);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--to " + target + ": " + e.getMessage(), e);
        }
    }

    private static String words(ShardPlace place) {
        ServerId host = ServerId.mds(place.host());
        return place.movesTo() == 0
                ? " stays at " + host + "; its move is cancelled"
                : " moves from " + host + " to " + ServerId.mds(place.movesTo());
    }

    private boolean serves(ShardsState state) {
        return state.shards().stream()
                .filter(each -> each.number() == shard)
                .anyMatch(each -> each.host().equals(Optional.of(ServerId.mds(target))) && !each.moves());
    }
}
