package io.steadfs.membership;

import java.util.Optional;
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
     * @return the place of the shard, with the server as the host
     * @throws MembershipException if another server hosts the shard, or if this server has given the store away
     */
    ShardPlace claim(int shard, ServerId server) throws MembershipException {
        FileSystemFormat format = FileSystemFormat.confirm(tree);
        boolean isJoining = format.joining().contains(shard);
        String path = tree.shard(shard);
        if (tree.create(path, ShardNode.chosen(server.number(), !isJoining))) {
            return placeOf(shard);
        }
        ShardPlace place = placeOf(shard, !isJoining, format.mayHaveMoves());
        if (place.host() != server.number()) {
            throw new MembershipException(
                    "shard " + shard + " is hosted by " + ServerId.mds(place.host()) + ", not by " + server);
        }
        if (place.given()) {
            throw new MembershipException("shard " + shard + " was given by " + server + " to "
                    + ServerId.mds(place.movesTo()) + ", and nobody opens it until it has arrived there");
        }
        if (isJoining) {
            tree.put(path, ShardNode.chosen(server.number(), false));
            return placeOf(shard);
        }
        return place;
    }

    /**
     * Notes that a shard of the metadata server may begin to serve. Does nothing if that is noted already, or if another
     * server hosts the shard.
     */
    void ready(int shard, ServerId server) throws MembershipException {
        String path = tree.shard(shard);
        while (true) {
            Optional<Versioned<ShardNode>> node = tree.read(path, ShardNode.class);
            if (node.isEmpty()) {
                if (tree.create(path, ShardNode.chosen(server.number(), true))) {
                    return;
                }
                continue;
            }
            ShardNode present = node.get().value();
            if (present.server() != server.number()
                    || present.ready()
                    || tree.tryReplace(path, node.get().version(), present.becameReady())
                            .isPresent()) {
                return;
            }
        }
    }

    /** Notes that the metadata server has opened the shard. A shard that joins is not ready by that. */
    void opened(int shard, ServerId server) throws MembershipException {
        if (!FileSystemFormat.confirm(tree).joining().contains(shard)) {
            ready(shard, server);
        }
    }

    private ShardPlace placeOf(int shard) throws MembershipException {
        String path = tree.shard(shard);
        Versioned<ShardNode> node =
                tree.read(path, ShardNode.class).orElseThrow(() -> new MembershipException(path + " comes and goes"));
        return ShardPlace.of(node.value(), node.version());
    }

    /**
     * The place of the shard. If the shard's node cannot be read, the host comes from the last counted membership. In
     * that case this method writes the node anew, so that a move that was not over is cancelled.
     *
     * @param mayHaveMoved whether the host may be another one than that of the configuration
     */
    private ShardPlace placeOf(int shard, boolean ready, boolean mayHaveMoved) throws MembershipException {
        try {
            return placeOf(shard);
        } catch (UnreadableNodeException e) {
            String path = tree.shard(shard);
            int host = tree.readIfRight(tree.epoch(), EpochNode.class, new Strangers())
                    .flatMap(epoch -> epoch.value().hostOf(Integer.toString(shard)))
                    .orElseThrow(() -> e);
            LOG.warn("{}; by {} its host is {}, and it is written anew", e.getMessage(), tree.epoch(), host);
            var unused = tree.overwrite(path, new ShardNode(host, ready, 0, false, mayHaveMoved));
            return placeOf(shard);
        }
    }
}
