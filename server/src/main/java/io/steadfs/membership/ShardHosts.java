package io.steadfs.membership;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the nodes that say which metadata server hosts a shard. */
final class ShardHosts {
    private static final Logger LOG = LoggerFactory.getLogger(ShardHosts.class);

    private final ZooKeeperTree tree;

    ShardHosts(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /**
     * Makes the metadata server the host of the shard. A shard that joins is not ready then, whatever an earlier process
     * has said of it: its store may be another one.
     *
     * @throws MembershipException if another server hosts the shard
     */
    void claim(int shard, ServerId server) throws MembershipException {
        boolean isJoining = isJoining(shard);
        if (tree.create(tree.shard(shard), new ShardNode(server.number(), !isJoining))) {
            return;
        }
        int host = hostOf(shard, !isJoining);
        if (host != server.number()) {
            throw new MembershipException(
                    "shard " + shard + " is hosted by " + ServerId.mds(host) + ", not by " + server);
        }
        if (isJoining) {
            tree.put(tree.shard(shard), new ShardNode(host, false));
        }
    }

    /** Whether the shard is joining, by the newest format. */
    private boolean isJoining(int shard) throws MembershipException {
        return FileSystemFormat.confirm(tree).joining().contains(shard);
    }

    /** Notes that a shard of the metadata server may begin to serve. */
    void ready(int shard, ServerId server) throws MembershipException {
        tree.put(tree.shard(shard), new ShardNode(server.number(), true));
    }

    /**
     * The host of the shard. If the shard's node cannot be read, the host comes from the last counted membership. In
     * that case this method writes the node anew.
     */
    private int hostOf(int shard, boolean ready) throws MembershipException {
        String path = tree.shard(shard);
        try {
            return tree.read(path, ShardNode.class)
                    .orElseThrow(() -> new MembershipException(path + " comes and goes"))
                    .value()
                    .server();
        } catch (UnreadableNodeException e) {
            int host = tree.readIfRight(tree.epoch(), EpochNode.class, new Strangers())
                    .flatMap(epoch -> epoch.value().hostOf(Integer.toString(shard)))
                    .orElseThrow(() -> e);
            LOG.warn("{}; by {} its host is {}, and it is written anew", e.getMessage(), tree.epoch(), host);
            var unused = tree.overwrite(path, new ShardNode(host, ready));
            return host;
        }
    }
}
