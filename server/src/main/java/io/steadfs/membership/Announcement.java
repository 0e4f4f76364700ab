package io.steadfs.membership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ephemeral node of one server. Used by one thread. */
final class Announcement {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

    private final ZooKeeperTree tree;
    private final ServerId server;
    private final String place;
    private Optional<AliveNode> wanted = Optional.empty();

    Announcement(ZooKeeperTree tree, ServerId server, DataDirectory directory) {
        this.tree = tree;
        this.server = server;
        this.place = place(directory);
    }

    /** The machine's boot and the directory's inode; empty if they cannot be found out. */
    private static String place(DataDirectory directory) {
        try {
            Object key = Files.readAttributes(directory.path(), BasicFileAttributes.class)
                    .fileKey();
            return key == null ? "" : Files.readString(BOOT).trim() + " " + key;
        } catch (IOException e) {
            return "";
        }
    }

    Optional<AliveNode> wanted() {
        return wanted;
    }

    void want(String address, String rack, long capacityBytes, long freeBytes) {
        wanted = Optional.of(new AliveNode(address, rack, capacityBytes, freeBytes, place));
    }

    /**
     * Makes the node in ZooKeeper equal to the wanted one.
     *
     * @return false if there is a node of another session that may belong to a living process
     */
    boolean refresh() throws MembershipException {
        if (wanted.isEmpty()) {
            return true;
        }
        String path = tree.alive(server);
        AliveNode node = wanted.get();
        CuratorFramework client = tree.client();
        return tree.call(path, () -> {
            while (true) {
                try {
                    client.create().withMode(CreateMode.EPHEMERAL).forPath(path, Json.encode(node));
                    return true;
                } catch (KeeperException.NodeExistsException e) {
                    if (setOwn(path, node)) {
                        return true;
                    }
                    if (!removeEarlier(path)) {
                        return false;
                    }
                }
            }
        });
    }

    private boolean setOwn(String path, AliveNode node) throws Exception {
        CuratorFramework client = tree.client();
        Stat stat = client.checkExists().forPath(path);
        long session = client.getZookeeperClient().getZooKeeper().getSessionId();
        if (stat == null || stat.getEphemeralOwner() != session) {
            return false;
        }
        try {
            client.setData().forPath(path, Json.encode(node));
            return true;
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
    }

    /** Removes a node of an earlier process in this directory, whose lock we hold. Returns true if none is left. */
    private boolean removeEarlier(String path) throws Exception {
        Optional<Versioned<AliveNode>> earlier;
        try {
            earlier = tree.read(path, AliveNode.class);
        } catch (UnreadableNodeException e) {
            return removeForeign(path, e);
        }
        if (earlier.isEmpty()) {
            return true;
        }
        if (place.isEmpty() || !earlier.get().value().place().equals(place)) {
            return false;
        }
        try {
            tree.client().delete().withVersion(earlier.get().version()).forPath(path);
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            // The node is gone or changed meanwhile: the caller looks again.
            return true;
        }
        return true;
    }

    /** Names the disk under the directory, for servers on the same machine; empty if it cannot be found out. */
    static String disk(DataDirectory directory) {
        try {
            Object device = Files.getAttribute(directory.path(), "unix:dev");
            return Files.readString(BOOT).trim() + " " + device;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }

    /** Removes a persistent node. It belongs to no living server, because every server makes an ephemeral one. */
    private boolean removeForeign(String path, UnreadableNodeException why) throws Exception {
        Stat stat = tree.client().checkExists().forPath(path);
        if (stat == null) {
            return true;
        }
        if (stat.getEphemeralOwner() != 0) {
            return false;
        }
        LOG.warn("{}; it is removed", why.getMessage());
        try {
            tree.client().delete().withVersion(stat.getVersion()).forPath(path);
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            // The node is gone or changed meanwhile: the caller looks again.
            return true;
        }
        return true;
    }

    /** The address of the server whose node stands in the way; for messages. */
    String inTheWay() throws MembershipException {
        return tree.readIfRight(tree.alive(server), AliveNode.class, new Strangers())
                .map(node -> node.value().address())
                .orElse("an unknown address");
    }
}
