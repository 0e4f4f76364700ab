package io.steadfs.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds shards to a running file system, in two steps (docs/decisions/0034):
 *
 * <pre>
 *  joining   in the format; every server counts the shards, and says so in its node /alive;
 *            each shard learns the fences of the others, and says so in its node /shards
 *  serving   in the format; new directories, partitions, metafiles and sessions come to the shards
 * </pre>
 *
 * An operator begins an addition. Any metadata server ends it, so an addition that was begun needs nobody who waits for
 * it. The second step waits for all servers that are alive. A server that is not alive reads the format when it starts.
 * A server that has lost ZooKeeper ends nothing for which it needs all shards before it has {@linkplain
 * FileSystemFormat#confirm asked ZooKeeper} how many there are.
 */
public final class Additions {
    private static final Logger LOG = LoggerFactory.getLogger(Additions.class);

    private final ZooKeeperTree tree;

    public Additions(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /**
     * Begins an addition: the shards are joining when the method returns.
     *
     * @param hosts the number of the metadata server for each new shard
     * @throws MembershipException if an earlier addition has not ended, a host is not registered, or there would be too
     *     many shards
     */
    public FileSystemFormat begin(List<Integer> hosts) throws MembershipException {
        for (int host : hosts) {
            if (tree.stat(tree.server(ServerId.mds(host))).isEmpty()) {
                throw new MembershipException(ServerId.mds(host) + " has never started in " + tree
                        + ": start it first; it hosts nothing until shards are added for it");
            }
        }
        while (true) {
            Versioned<FileSystemFormat> present = FileSystemFormat.readVersioned(tree);
            FileSystemFormat format = present.value();
            if (!format.joining().isEmpty()) {
                throw new MembershipException(
                        "shards " + format.joining() + " are joining already; " + String.join("; ", waitsFor(format)));
            }
            if (format.shards().all() + hosts.size() > FileSystemFormat.MAX_SHARDS) {
                throw new MembershipException("the file system has "
                        + format.shards().all() + " shards, and " + FileSystemFormat.MAX_SHARDS + " at most");
            }
            FileSystemFormat more = format.with(new FileSystemFormat.Addition(hosts, false));
            if (tree.tryReplace(tree.format(), present.version(), more).isPresent()) {
                return more;
            }
        }
    }

    /**
     * Lets joining shards serve if nothing is waited for. Does nothing if no shard is joining.
     *
     * @param known a format that this server knows, for a first look
     */
    void settle(FileSystemFormat known) throws MembershipException {
        if (known.joining().isEmpty()) {
            return;
        }
        // Later reads of the same connection see at least what is there now.
        tree.call(tree.root(), () -> tree.client().sync().forPath(tree.root()));
        Versioned<FileSystemFormat> present = FileSystemFormat.readVersioned(tree);
        FileSystemFormat format = present.value();
        if (format.joining().isEmpty()) {
            return;
        }
        Map<String, Integer> versions = new HashMap<>(Map.of(tree.format(), present.version()));
        List<String> waits = new ArrayList<>(serversWaitedFor(format));
        waits.addAll(shardsWaitedFor(format, versions));
        if (waits.isEmpty() && tree.tryReplace(tree.format(), versions, format.inService())) {
            LOG.info("shards {} serve", format.joining());
        }
    }

    /** What joining shards wait for before they serve, one line each. Empty if no shard is joining. */
    public List<String> waitsFor(FileSystemFormat format) throws MembershipException {
        List<String> waits = new ArrayList<>();
        if (!format.joining().isEmpty()) {
            waits.addAll(serversWaitedFor(format));
            waits.addAll(shardsWaitedFor(format, new HashMap<>()));
        }
        return waits;
    }

    private List<String> serversWaitedFor(FileSystemFormat format) throws MembershipException {
        List<String> waits = new ArrayList<>();
        for (String name : tree.children(tree.allAlive()).stream().sorted().toList()) {
            try {
                ServerId server = NodeNames.serverBelow(tree.allAlive(), name);
                Optional<Versioned<AliveNode>> node = tree.read(tree.alive(server), AliveNode.class);
                if (node.isPresent() && node.get().value().shardVersion() < format.shardVersion()) {
                    waits.add(server + " does not count the new shards yet");
                }
            } catch (UnreadableNodeException e) {
                LOG.debug("not waited for: {}", e.getMessage());
            }
        }
        return waits;
    }

    /** @param versions receives the versions of the nodes of the joining shards, by path */
    private List<String> shardsWaitedFor(FileSystemFormat format, Map<String, Integer> versions)
            throws MembershipException {
        List<String> waits = new ArrayList<>();
        SortedMap<Integer, Integer> hosts = format.addedHosts();
        for (int shard : format.joining()) {
            String path = tree.shard(shard);
            Optional<Versioned<ShardNode>> node = tree.readIfRight(path, ShardNode.class, new Strangers());
            if (node.isEmpty()) {
                waits.add(ServerId.mds(Objects.requireNonNull(hosts.get(shard))) + " has not opened shard " + shard
                        + " yet");
            } else if (!node.get().value().ready()) {
                waits.add("shard " + shard + " at "
                        + ServerId.mds(node.get().value().server())
                        + " has not learnt the fences of the other shards yet");
            } else {
                versions.put(path, node.get().version());
            }
        }
        return waits;
    }

    /** The metadata servers that are alive, each with the number of the shards that it hosts. */
    public SortedMap<Integer, Integer> hostsAlive() throws MembershipException {
        SortedMap<Integer, Integer> hosts = new TreeMap<>();
        for (String name : tree.children(tree.allAlive())) {
            if (name.matches("mds-[0-9]+")) {
                hosts.put(NodeNames.serverBelow(tree.allAlive(), name).number(), 0);
            }
        }
        for (String name : tree.children(tree.shards())) {
            tree.readIfRight(tree.shards() + "/" + name, ShardNode.class, new Strangers())
                    .ifPresent(node -> hosts.computeIfPresent(node.value().server(), (host, shards) -> shards + 1));
        }
        return hosts;
    }
}
