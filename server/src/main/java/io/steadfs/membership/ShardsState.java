package io.steadfs.membership;

import io.steadfs.cluster.ShardCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shards of a file system, for people.
 *
 * @param shards in the order of their numbers
 * @param waitsFor what joining shards wait for, one line each
 */
public record ShardsState(List<Shard> shards, List<String> waitsFor) {
    /**
     * One shard.
     *
     * @param host the metadata server that hosts the shard; empty if none does yet
     * @param serving false = the shard is joining
     */
    public record Shard(int number, Optional<ServerId> host, boolean serving) {}

    public ShardsState {
        shards = List.copyOf(shards);
        waitsFor = List.copyOf(waitsFor);
    }

    /** Reads the state from ZooKeeper. */
    public static ShardsState read(ZooKeeperTree tree) throws MembershipException {
        FileSystemFormat format = FileSystemFormat.read(tree);
        ShardCounts counts = format.shards();
        List<Shard> shards = new ArrayList<>();
        for (int number = 0; number < counts.all(); number++) {
            Optional<ServerId> host = tree.readIfRight(tree.shard(number), ShardNode.class, new Strangers())
                    .map(node -> ServerId.mds(node.value().server()));
            shards.add(new Shard(number, host, number < counts.serving()));
        }
        return new ShardsState(shards, new Additions(tree).waitsFor(format));
    }

    /** Whether no shard is joining. */
    public boolean areServing() {
        return shards.stream().allMatch(Shard::serving);
    }
}
