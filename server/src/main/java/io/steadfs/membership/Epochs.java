package io.steadfs.membership;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts changes of the membership. A server may notice that the present membership differs from the membership in
 * {@code /epoch}. The server then writes the present membership to {@code /epoch} by compare-and-set, under the next
 * epoch. If several servers try at the same time, only one server succeeds. After that, the other servers find no
 * difference.
 *
 * <p>Each try reads {@code /epoch} first, then syncs with ZooKeeper, and then lists the living servers. So no server
 * replaces a membership by an older membership. Nodes that no SteadFS server wrote are not counted. If the node of a
 * shard cannot be read, the shard keeps its host.
 */
final class Epochs {
    private static final Logger LOG = LoggerFactory.getLogger(Epochs.class);

    private final ZooKeeperTree tree;
    private final LongSupplier known;

    /** @param known returns the newest epoch that this server knows */
    Epochs(ZooKeeperTree tree, LongSupplier known) {
        this.tree = tree;
        this.known = known;
    }

    /**
     * Counts the present membership if it differs from the last counted membership. Returns the new content of
     * {@code /epoch}.
     */
    EpochNode settle() throws MembershipException {
        while (true) {
            Versioned<EpochNode> counted = counted();
            // This method does not wait for the sync, because ZooKeeper performs later reads of the same connection
            // after the sync.
            tree.call(tree.root(), () -> tree.client().sync().forPath(tree.root()));
            EpochNode present = new EpochNode(
                    counted.value().epoch() + 1, alive(), shards(counted.value()), shardVersion(counted.value()));
            if (present.countsSameAs(counted.value())) {
                return counted.value();
            }
            if (tree.tryReplace(tree.epoch(), counted.version(), present).isPresent()) {
                return present;
            }
        }
    }

    /**
     * Reads the last counted membership. If the node cannot be read, the next count replaces the node. The new epoch is
     * above every earlier epoch.
     *
     * <p>Each count raises both the epoch and the node's version by one. The write that damaged the node raised only
     * the version. So the node's version is above the last counted epoch.
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
            return new Versioned<>(new EpochNode(above, new TreeMap<>(), new TreeMap<>(), 1), version);
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

    /** The present state of the shards. If the format cannot be read, the last counted state stays. */
    private int shardVersion(EpochNode counted) throws MembershipException {
        return tree.readIfRight(tree.format(), FileSystemFormat.class, new Strangers())
                .map(format -> Math.max(counted.shardVersion(), format.value().shardVersion()))
                .orElse(counted.shardVersion());
    }
}
