package io.steadfs.membership;

import io.steadfs.store.mark.StoreMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * Describes one node of a file system in ZooKeeper to an operator.
 *
 * @param path the full path in ZooKeeper
 * @param bytes the number of bytes in the node
 * @param ephemeral whether the node disappears with the session that made the node
 * @param isProtected whether only sessions that know the cluster secret may change the node
 * @param wrong why no SteadFS server can have written the node; empty if a SteadFS server can have written it
 */
public record NodeReport(String path, int bytes, boolean ephemeral, boolean isProtected, Optional<String> wrong) {

    /** The reports of all nodes, in the order of their paths. */
    public static List<NodeReport> all(ZooKeeperTree tree) throws MembershipException {
        List<NodeReport> reports = new ArrayList<>();
        collect(tree, tree.root(), reports);
        return reports;
    }

    private static void collect(ZooKeeperTree tree, String path, List<NodeReport> reports) throws MembershipException {
        of(tree, path).ifPresent(reports::add);
        for (String child : tree.children(path).stream().sorted().toList()) {
            collect(tree, path + "/" + child, reports);
        }
    }

    /** The report of one node; empty if there is no such node. */
    public static Optional<NodeReport> of(ZooKeeperTree tree, String path) throws MembershipException {
        Stat stat = new Stat();
        Optional<byte[]> text = tree.call(path, () -> {
            try {
                byte[] found = tree.client().getData().storingStatIn(stat).forPath(path);
                return Optional.of(found == null ? new byte[0] : found);
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new NodeReport(
                path,
                text.get().length,
                stat.getEphemeralOwner() != 0,
                tree.isProtected(path),
                wrong(tree, path, text.get())));
    }

    private static Optional<String> wrong(ZooKeeperTree tree, String path, byte[] text) {
        try {
            check(tree, path, text);
            return Optional.empty();
        } catch (MembershipException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void check(ZooKeeperTree tree, String path, byte[] text) throws MembershipException {
        String where = path + " in ZooKeeper";
        if (path.equals(tree.format())) {
            Json.decode(text, FileSystemFormat.class, where).check(tree);
        } else if (path.equals(tree.epoch())) {
            Json.decode(text, EpochNode.class, where);
        } else if (path.startsWith(tree.servers() + "/")) {
            NodeNames.serverBelow(tree.servers(), nameBelow(tree.servers(), path));
            Json.decode(text, ServerNode.class, where);
        } else if (path.startsWith(tree.allAlive() + "/")) {
            NodeNames.serverBelow(tree.allAlive(), nameBelow(tree.allAlive(), path));
            Json.decode(text, AliveNode.class, where);
        } else if (path.startsWith(tree.allFigures() + "/")) {
            NodeNames.serverBelow(tree.allFigures(), nameBelow(tree.allFigures(), path));
            Json.decode(text, FiguresNode.class, where);
        } else if (path.startsWith(tree.shards() + "/")) {
            NodeNames.shardBelow(tree.shards(), nameBelow(tree.shards(), path));
            Json.decode(text, ShardNode.class, where);
        } else if (path.startsWith(tree.sequences() + "/")) {
            if (!nameBelow(tree.sequences(), path).matches("[0-9a-f]{4}")) {
                throw new UnreadableNodeException(where + " is no node of this file system: no owner has that name");
            }
            Json.decode(text, SequenceNode.class, where);
        } else if (path.startsWith(tree.allMarks() + "/")) {
            if (!nameBelow(tree.allMarks(), path).matches("[0-9a-f]{4}")) {
                throw new UnreadableNodeException(where + " is no node of this file system: no owner has that name");
            }
            Json.decode(text, StoreMark.class, where);
        } else if (!tree.ownParents().contains(path)) {
            throw new UnreadableNodeException(where + " is no node of this file system, or one of another release");
        }
    }

    private static String nameBelow(String parent, String path) {
        return path.substring(parent.length() + 1);
    }

    /**
     * Removes a wrong node and the nodes below it.
     *
     * @return why the node was not removed; empty if it was removed
     */
    public static Optional<String> remove(ZooKeeperTree tree, String path) throws MembershipException {
        Optional<NodeReport> found = of(tree, path);
        if (found.isEmpty()) {
            return Optional.of("there is no node " + path);
        }
        if (found.get().wrong().isEmpty()) {
            return Optional.of(path + " is as it should be");
        }
        if (path.equals(tree.format())) {
            return Optional.of(path + " is the only description of the file system; put its old content back");
        }
        tree.call(path, () -> {
            tree.client().delete().deletingChildrenIfNeeded().forPath(path);
            return path;
        });
        return Optional.empty();
    }
}
