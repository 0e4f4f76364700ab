package io.steadfs.membership;

import io.steadfs.cluster.ShardCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The shards of a file system, for people.
 *
 * @param shards in the order of their numbers
 * @param waitsFor what shards that join or move wait for, one line each
 */
public record ShardsState(List<Shard> shards, List<String> waitsFor) {
    /**
     * One shard.
     *
     * @param host the metadata server that hosts the shard; empty if none does yet
     * @param alive whether the host is alive, as ZooKeeper knows it
     * @param serving false = the shard is joining
     * @param ready false = the host has not opened the shard yet, which has joined or moved
     * @param movesTo the metadata server to which the shard moves; empty if it stays
     * @param stopped whether the shard is closed, because only the rest of its store is to be copied
     */
    public record Shard(
            int number,
            Optional<ServerId> host,
            boolean alive,
            boolean serving,
            boolean ready,
            Optional<ServerId> movesTo,
            boolean stopped) {
        private static Shard of(int number, Optional<ShardNode> node, boolean serving, Set<String> alive) {
            return new Shard(
                    number,
                    node.map(each -> ServerId.mds(each.server())),
                    node.map(each -> alive.contains(ServerId.mds(each.server()).toString()))
                            .orElse(false),
                    serving,
                    node.map(ShardNode::ready).orElse(false),
                    node.filter(each -> each.movesTo() != 0).map(each -> ServerId.mds(each.movesTo())),
                    node.map(ShardNode::given).orElse(false));
        }

        /** Whether the shard is on its way to another metadata server. */
        public boolean moves() {
            return serving && host.isPresent() && (movesTo.isPresent() || !ready);
        }
    }

    public ShardsState {
        shards = List.copyOf(shards);
        waitsFor = List.copyOf(waitsFor);
    }

    /** Reads the state from ZooKeeper. */
    public static ShardsState read(ZooKeeperTree tree) throws MembershipException {
        FileSystemFormat format = FileSystemFormat.read(tree);
        ShardCounts counts = format.shards();
        Set<String> alive = Set.copyOf(tree.children(tree.allAlive()));
        List<Shard> shards = new ArrayList<>();
        for (int number = 0; number < counts.all(); number++) {
            Optional<ShardNode> node = tree.readIfRight(tree.shard(number), ShardNode.class, new Strangers())
                    .map(Versioned::value);
            shards.add(Shard.of(number, node, number < counts.serving(), alive));
        }
        List<String> waits = new ArrayList<>(new Additions(tree).waitsFor(format));
        waits.addAll(new ShardMoves(tree).waitsFor(format));
        return new ShardsState(shards, waits);
    }

    /** Whether no shard is joining. */
    public boolean areServing() {
        return shards.stream().allMatch(Shard::serving);
    }

    /** Whether no shard is on its way to another metadata server. */
    public boolean areSettled() {
        return shards.stream().noneMatch(Shard::moves);
    }
}
