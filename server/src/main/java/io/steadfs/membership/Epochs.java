package io.steadfs.membership;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts changes of membership. A server that notices that the membership differs from the one in {@code /epoch} counts it by
 * compare-and-set. If several servers notice it, one succeeds and the others find nothing left to count. The living servers are listed
 * after the node was read and after a sync, so the written membership is never older than the one it replaces. Nodes that no server of ours
 * wrote are not counted. A shard whose node cannot be read keeps its host.
 */
final class Epochs {
    private static final Logger LOG = LoggerFactory.getLogger(Epochs.class);

    private final ZooKeeperTree tree;
    private final LongSupplier known;

    /** @param known newest epoch that this server has heard of */
    Epochs(ZooKeeperTree tree, LongSupplier known) {
        this.tree = tree;
        this.known = known;
    }

    /** Counts the present membership if it differs from the last one. Returns the node as it is then. */
    EpochNode settle() throws MembershipException {
        while (true) {
            Versioned<EpochNode> counted = counted();
            // The sync is not waited for: reads that follow on this connection come after it.
            tree.call(tree.root(), () -> tree.client().sync().forPath(tree.root()));
            EpochNode present = new EpochNode(counted.value().epoch() + 1, alive(), shards(counted.value()));
            if (present.countsSameAs(counted.value())) {
                return counted.value();
            }
            if (tree.tryReplace(tree.epoch(), counted.version(), present).isPresent()) {
                return present;
            }
        }
    }

    /**
     * The last count. A node that cannot be read is replaced by the next count, whose epoch is above every earlier one. That holds because
     * each count raised both the epoch and the node's version by one, while the write that damaged the node raised the version alone.
     */
    private Versioned<EpochNode> counted() throws MembershipException {
        try {
            return tree.read(tree.epoch(), EpochNode.class)
                    .orElseThrow(() -> new MembershipException(tree.epoch() + " was removed from ZooKeeper"));
        } catch (UnreadableNodeException e) {
            int version = tree.stat(tree.epoch())
                    .orElseThrow(() -> new MembershipException(tree.epoch() + " was removed from ZooKeeper", e))
                    .getVersion();
            long above = Math.max(version, known.getAsLong());
            LOG.warn("{}; it is written anew, with an epoch above {}", e.getMessage(), above);
            return new Versioned<>(new EpochNode(above, new TreeMap<>(), new TreeMap<>()), version);
        }
    }

    private SortedMap<String, String> alive() throws MembershipException {
        SortedMap<String, String> alive = new TreeMap<>();
        for (String name : tree.children(tree.allAlive())) {
            try {
                NodeNames.serverBelow(tree.allAlive(), name);
                tree.read(tree.allAlive() + "/" + name, AliveNode.class)
                        .ifPresent(present -> alive.put(name, present.value().address()));
            } catch (UnreadableNodeException e) {
                LOG.debug("not counted: {}", e.getMessage());
            }
        }
        return alive;
    }

    private SortedMap<String, Integer> shards(EpochNode counted) throws MembershipException {
        SortedMap<String, Integer> shards = new TreeMap<>();
        for (String name : tree.children(tree.shards())) {
            try {
                NodeNames.shardBelow(tree.shards(), name);
                tree.read(tree.shards() + "/" + name, ShardNode.class)
                        .ifPresent(present -> shards.put(name, present.value().server()));
            } catch (UnreadableNodeException e) {
                LOG.debug("not counted anew: {}", e.getMessage());
                counted.hostOf(name).ifPresent(host -> shards.put(name, host));
            }
        }
        return shards;
    }
}
