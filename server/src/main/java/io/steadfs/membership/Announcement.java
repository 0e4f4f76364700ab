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

/** Keeps the ephemeral node of one server in ZooKeeper. Only one thread uses an object of this class. */
final class Announcement {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

    private final ZooKeeperTree tree;
    private final ServerId server;
    private final String place;
    private Optional<AliveNode> wanted = Optional.empty();
    private int shardVersion;

    /** @param shardVersion the state of the shards that the server counts from the start */
    Announcement(ZooKeeperTree tree, ServerId server, DataDirectory directory, int shardVersion) {
        this.shardVersion = shardVersion;
        this.tree = tree;
        this.server = server;
        this.place = place(directory);
    }

    /** Identifies the machine's boot and the directory's inode; empty if the operating system gives no such ids. */
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
        wanted = Optional.of(new AliveNode(address, rack, capacityBytes, freeBytes, place, shardVersion));
    }

    /** The state of the shards that the server says it counts. */
    int shardVersion() {
        return shardVersion;
    }

    /** Sets the state of the shards that the server counts now. */
    void counts(int version) {
        shardVersion = version;
        wanted.ifPresent(node -> want(node.address(), node.rack(), node.capacityBytes(), node.freeBytes()));
    }

    /**
     * Makes the server's node in ZooKeeper equal to the wanted node.
     *
     * @return false if another session, whose process may still be alive, has made the node
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

    /**
     * Removes the node of an earlier process that used this data directory. The earlier process has ended, because this
     * process holds the directory's lock. Returns false if the node may belong to a living process.
     */
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
            // Another session removed or changed the node meanwhile. The caller checks again.
            return true;
        }
        return true;
    }

    /**
     * Identifies the disk under the directory among the disks of all machines; empty if the operating system gives no
     * id.
     */
    static String disk(DataDirectory directory) {
        try {
            Object device = Files.getAttribute(directory.path(), "unix:dev");
            return Files.readString(BOOT).trim() + " " + device;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }

    /**
     * Removes an unreadable node if it is persistent. A persistent node belongs to no server, because every server
     * makes an ephemeral node.
     */
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
            // Another session removed or changed the node meanwhile. The caller checks again.
            return true;
        }
        return true;
    }

    /** The address of the server whose node prevents the announcement, for messages. */
    String inTheWay() throws MembershipException {
        return tree.readIfRight(tree.alive(server), AliveNode.class, new Strangers())
                .map(node -> node.value().address())
                .orElse("an unknown address");
    }
}
