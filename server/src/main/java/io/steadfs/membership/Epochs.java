package io.steadfs.membership;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts changes of membership. Whoever notices that the membership is not the one that {@code /epoch} counted last
 * counts it, by compare-and-set; among several who notice, one succeeds and the others find nothing left to count. The
 * living servers are listed after the node was read and after a sync, so what is written is never older than what it
 * replaces.
 */
final class Epochs {
    private final ZooKeeperTree tree;

    Epochs(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /** Counts the present membership if it was not; answers the node as it is then. */
    EpochNode settle() throws MembershipException {
        while (true) {
            Versioned<EpochNode> counted = tree.read(tree.epoch(), EpochNode.class)
                    .orElseThrow(() -> new MembershipException(tree.epoch() + " was removed from ZooKeeper"));
            // Not waited for: reads that follow on this connection come after it.
            tree.call(tree.root(), () -> tree.client().sync().forPath(tree.root()));
            EpochNode present = new EpochNode(counted.value().epoch() + 1, alive(), shards());
            if (present.countsSameAs(counted.value())) {
                return counted.value();
            }
            if (tree.tryReplace(tree.epoch(), counted.version(), present).isPresent()) {
                return present;
            }
        }
    }

    private SortedMap<String, String> alive() throws MembershipException {
        SortedMap<String, String> alive = new TreeMap<>();
        for (String server : tree.children(tree.allAlive())) {
            NodeNames.serverBelow(tree.allAlive(), server);
            Optional<Versioned<AliveNode>> node = tree.read(tree.allAlive() + "/" + server, AliveNode.class);
            node.ifPresent(present -> alive.put(server, present.value().address()));
        }
        return alive;
    }

    private SortedMap<String, Integer> shards() throws MembershipException {
        SortedMap<String, Integer> shards = new TreeMap<>();
        for (String shard : tree.children(tree.shards())) {
            NodeNames.shardBelow(tree.shards(), shard);
            Optional<Versioned<ShardNode>> node = tree.read(tree.shards() + "/" + shard, ShardNode.class);
            node.ifPresent(present -> shards.put(shard, present.value().server()));
        }
        return shards;
    }
}
