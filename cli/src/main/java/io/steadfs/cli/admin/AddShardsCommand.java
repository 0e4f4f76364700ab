package io.steadfs.cli.admin;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.membership.Additions;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardsState;
import io.steadfs.membership.ZooKeeperTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Adds shards to a running file system, and waits until they serve. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Add metadata shards to a running file system. New directories, partitions, files without a name and sessions come",
            "to them; what is there stays where it is. Each new shard goes to the metadata server that has the fewest. The",
            "addition goes on if this command is stopped; see stead admin shards list. Shards cannot be taken away again."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the new shards serve",
            "1:no shards were added; the last line says why",
            "2:wrong usage",
            "3:the new shards are joining, and do not serve yet; the last lines say what they wait for"
        })
final class AddShardsCommand implements Callable<Integer> {
    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Option(names = "--count", paramLabel = "N", defaultValue = "1", description = "how many shards (default: 1)")
    private int count;

    @Option(
            names = "--mds",
            paramLabel = "NUMBER",
            split = ",",
            description = "numbers of the metadata servers that host the new shards; default: all that are alive")
    private @Nullable List<Integer> servers;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "how long to wait until the new shards serve (default: 60)")
    private long waitSeconds;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (count < 1 || count > FileSystemFormat.MAX_SHARDS) {
            throw new ParameterException(
                    spec.commandLine(), "--count " + count + " is not 1 to " + FileSystemFormat.MAX_SHARDS);
        }
        if (servers != null && servers.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--mds: it names no metadata server");
        }
        ShardsWait wait = new ShardsWait(spec, waitSeconds, json);
        try (ZooKeeperTree tree = ZooKeeperTree.connect(configuration.read(ServerKeys.LOCAL))) {
            Additions additions = new Additions(tree);
            FileSystemFormat format = additions.begin(hosts(additions.hostsAlive()));
            return wait.after("shards " + format.joining() + " are joining", tree, ShardsState::areServing);
        }
    }

    /** The host of each new shard. */
    private List<Integer> hosts(SortedMap<Integer, Integer> alive) throws MembershipException {
        SortedMap<Integer, Integer> shards = new TreeMap<>(alive);
        if (servers != null) {
            for (int server : servers) {
                if (!alive.containsKey(server)) {
                    throw new MembershipException("mds-" + server + " is not alive; alive are "
                            + alive.keySet().stream().map(ServerId::mds).toList());
                }
            }
            shards.keySet().retainAll(servers);
        }
        if (shards.isEmpty()) {
            throw new MembershipException("no metadata server is alive");
        }
        List<Integer> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int least = shards.entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .orElseThrow()
                    .getKey();
            shards.merge(least, 1, Integer::sum);
            hosts.add(least);
        }
        return hosts;
    }
}
