package io.steadfs.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves whole shards to other metadata servers, by steps of the node {@code /shards/<number>} (docs/decisions/0035):
 *
 * <pre>
 *  step     by                          the node then
 *  -------  --------------------------  ------------------------------------
 *  begin    an operator                 names the server to which it moves
 *  give     the host                    given: the host has closed the store
 *  take     the other server            hosted by it, not ready
 *  ready    the other server            hosted by it, ready
 *  cancel   an operator, before take    as before the move
 * </pre>
 *
 * Each step is a compare-and-set. A server steps only in the move that it means, which is known by its {@linkplain
 * ShardPlace#move number}. So what is left of an earlier move does nothing.
 */
public final class ShardMoves {
    private static final Logger LOG = LoggerFactory.getLogger(ShardMoves.class);

    private final ZooKeeperTree tree;

    public ShardMoves(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /**
     * Begins to move the shard to the server. If the shard moves there already, does nothing. If the server is the present
     * host, cancels the move.
     *
     * @return the place of the shard after that
     * @throws MembershipException if the shard cannot move there; the message says why
     */
    public ShardPlace begin(int shard, ServerId target) throws MembershipException {
        while (true) {
            Versioned<FileSystemFormat> format = FileSystemFormat.readVersioned(tree);
            Versioned<ShardNode> present = node(shard, format.value());
            ShardNode node = present.value();
            if (node.movesTo() == target.number()) {
                return ShardPlace.of(node, present.version());
            }
            ShardNode next = node.server() == target.number() && node.movesTo() != 0
                    ? node.staying()
                    : moving(shard, node, target);
            if (!format.value().mayHaveMoves()) {
                // From here on no earlier release starts, which would open a store that was given away.
                var unused = tree.tryReplace(
                        tree.format(), format.version(), format.value().withMoves());
                continue;
            }
            Map<String, Integer> versions =
                    Map.of(tree.shard(shard), present.version(), tree.format(), format.version());
            if (tree.tryReplace(tree.shard(shard), versions, next)) {
                return ShardPlace.of(next, present.version() + 1);
            }
        }
    }

    private Versioned<ShardNode> node(int shard, FileSystemFormat format) throws MembershipException {
        int all = format.shards().all();
        if (shard < 0 || shard >= all) {
            throw new MembershipException("there is no shard " + shard + ": the file system has " + all + " shard(s)");
        }
        if (!format.joining().isEmpty()) {
            throw new MembershipException(
                    "shards " + format.joining() + " are joining; no shard moves until they serve");
        }
        return tree.read(tree.shard(shard), ShardNode.class)
                .orElseThrow(() -> new MembershipException(
                        "shard " + shard + " has no host yet: no metadata server has opened it"));
    }

    private ShardNode moving(int shard, ShardNode node, ServerId target) throws MembershipException {
        ServerId host = ServerId.mds(node.server());
        if (host.equals(target)) {
            throw new MembershipException("shard " + shard + " is at " + target + " already");
        }
        if (node.movesTo() != 0) {
            throw new MembershipException("shard " + shard + " moves from " + host + " to "
                    + ServerId.mds(node.movesTo()) + " already; cancel that with --to " + host.number());
        }
        if (!node.ready()) {
            throw new MembershipException(
                    "shard " + shard + " is not open at " + host + " yet; move it when it serves");
        }
        if (tree.stat(tree.server(target)).isEmpty()) {
            throw new MembershipException(
                    target + " has never started in " + tree + ": start it first; it waits for shards");
        }
        if (tree.stat(tree.alive(target)).isEmpty()) {
            throw new MembershipException(target + " is not alive");
        }
        return node.movingTo(target.number());
    }

    /**
     * Gives the store of a shard away: from now on its host never opens it in this move. Does nothing if it was given
     * already.
     *
     * @param move the number of the move that the other server means
     * @return the place of the shard, which is given
     * @throws MembershipException if the shard is not at the host, or is not in this move
     */
    ShardPlace give(int shard, ServerId host, ServerId target, int move) throws MembershipException {
        while (true) {
            Versioned<ShardNode> node = confirmed(shard);
            ShardPlace place = ShardPlace.of(node.value(), node.version());
            if (place.host() != host.number() || place.movesTo() != target.number() || place.move() != move) {
                throw new MembershipException(
                        "shard " + shard + " at " + host + " is not in move " + move + " to " + target + ": " + place);
            }
            if (place.given()) {
                return place;
            }
            ShardNode given = node.value().givenAway();
            Optional<Integer> version = tree.tryReplace(tree.shard(shard), node.version(), given);
            if (version.isPresent()) {
                return ShardPlace.of(given, version.get());
            }
        }
    }

    /**
     * Makes the server to which the shard moves its host. The epoch counts that in the same step, so that the host of a
     * moved shard is known even if its node cannot be read. The server must have the whole store durably.
     *
     * @param move the number of the move in which the store was given
     * @return the version of the node after that; empty if the move was cancelled
     */
    OptionalInt take(int shard, ServerId target, int move) throws MembershipException {
        int given = move + 1;
        while (true) {
            Versioned<ShardNode> node = confirmed(shard);
            ShardPlace place = ShardPlace.of(node.value(), node.version());
            if (place.version() == given + 1 && place.host() == target.number() && place.moved()) {
                // An earlier try did it, and its answer was lost.
                return OptionalInt.of(place.version());
            }
            if (place.version() != given || place.movesTo() != target.number() || !place.given()) {
                return OptionalInt.empty();
            }
            Versioned<EpochNode> epoch = tree.read(tree.epoch(), EpochNode.class)
                    .orElseThrow(() -> new MembershipException(tree.epoch() + " was removed from ZooKeeper"));
            EpochNode next = epoch.value().withHost(shard, target.number());
            if (tree.tryReplaceBoth(
                    tree.shard(shard),
                    new Versioned<>(node.value().taken(), given),
                    tree.epoch(),
                    new Versioned<>(next, epoch.version()))) {
                LOG.info("{} hosts shard {} now", target, shard);
                return OptionalInt.of(given + 1);
            }
        }
    }

    /**
     * The place of the shard at a moment after the call began. A plain read may come from a server of ZooKeeper that lags
     * behind.
     *
     * @throws MembershipException if there is no such place, or it cannot be read
     */
    ShardPlace confirm(int shard) throws MembershipException {
        Versioned<ShardNode> node = confirmed(shard);
        return ShardPlace.of(node.value(), node.version());
    }

    private Versioned<ShardNode> confirmed(int shard) throws MembershipException {
        String path = tree.shard(shard);
        while (true) {
            Versioned<ShardNode> node = tree.read(path, ShardNode.class)
                    .orElseThrow(() -> new MembershipException("shard " + shard + " has no host: there is no " + path));
            if (tree.isAt(path, node.version())) {
                return node;
            }
        }
    }

    /** What the shards that move wait for, one line each. Empty if no shard moves. */
    public List<String> waitsFor(FileSystemFormat format) throws MembershipException {
        List<String> waits = new ArrayList<>();
        for (int shard = 0; shard < format.shards().all(); shard++) {
            Optional<Versioned<ShardNode>> found =
                    tree.readIfRight(tree.shard(shard), ShardNode.class, new Strangers());
            if (found.isPresent() && !format.joining().contains(shard)) {
                waitsFor(shard, found.get().value()).ifPresent(waits::add);
            }
        }
        return waits;
    }

    private Optional<String> waitsFor(int shard, ShardNode node) throws MembershipException {
        ServerId host = ServerId.mds(node.server());
        if (node.movesTo() == 0) {
            return node.ready() ? Optional.empty() : Optional.of(host + " has not opened shard " + shard + " yet");
        }
        ServerId target = ServerId.mds(node.movesTo());
        for (ServerId server : List.of(host, target)) {
            if (tree.stat(tree.alive(server)).isEmpty()) {
                return Optional.of(
                        "shard " + shard + " moves from " + host + " to " + target + ": " + server + " is not alive");
            }
        }
        return Optional.of(
                node.given()
                        ? target + " copies the rest of shard " + shard + " from " + host + "; the shard is stopped"
                        : target + " copies shard " + shard + " from " + host);
    }
}
