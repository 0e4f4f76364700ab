package io.steadfs.membership;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.outage.StartStep;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to ZooKeeper, and reads and writes the nodes of one file system. The content of each node is JSON:
 *
 * <pre>
 * /steadfs                 root; configurable
 *   /format                {@link FileSystemFormat}; changed only when shards are added, or first move
 *   /servers/mds-1         {@link ServerNode}: every server that ever joined
 *   /servers/io-3
 *   /alive/mds-1           {@link AliveNode}: ephemeral, one for each running server
 *   /alive/io-3
 *   /shards/0              {@link ShardNode}: which metadata server hosts the shard, and where it moves to
 *   /sequence/8000         {@link SequenceNode}: reserved handles, by owner id in hexadecimal
 *   /marks/8000            {@link io.steadfs.store.mark.StoreMark}: newest mark of the owner's store
 *   /epoch                 {@link EpochNode}: the number of membership changes, and the last counted membership
 * </pre>
 */
public final class ZooKeeperTree implements AutoCloseable {
    public static final ConfigKey<String> CONNECT = ConfigKey.text(
            "stead.zookeeper.servers", "127.0.0.1:2181", "ZooKeeper servers, as host:port, separated by commas.");

    public static final ConfigKey<String> ROOT = new ConfigKey<>(
            "stead.zookeeper.root",
            "/steadfs",
            "",
            "Path in ZooKeeper under which the file system keeps its nodes; file systems may share a ZooKeeper.",
            text -> {
                if (!text.matches("(/[A-Za-z0-9_.-]+)+")) {
                    throw new IllegalArgumentException("is not a path like /steadfs");
                }
                return text;
            });

    public static final ConfigKey<Long> SESSION_TIMEOUT = ConfigKey.number(
            "stead.zookeeper.session.timeout",
            10_000,
            1_000,
            300_000,
            "milliseconds",
            "After this time without a sign of life a server counts as not alive.");

    public static final ConfigKey<Long> CONNECT_TIMEOUT = ConfigKey.number(
            "stead.zookeeper.connect.timeout",
            15_000,
            100,
            600_000,
            "milliseconds",
            "How long a server that starts waits for ZooKeeper before it gives up; up to ten times that while one serves there"
                    + " and is only slow.");

    public static final ConfigKeys KEYS =
            SecretFile.KEYS.and(new ConfigKeys(List.of(CONNECT, ROOT, SESSION_TIMEOUT, CONNECT_TIMEOUT)));

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperTree.class);
    private static final int RETRIES = 3;
    private static final int RETRY_MILLIS = 200;

    private final CuratorFramework client;
    private final String servers;
    private final String root;
    private final int sessionTimeoutMillis;
    private final NodeAccess access;

    ZooKeeperTree(CuratorFramework client, String servers, String root, int sessionTimeoutMillis, NodeAccess access) {
        this.client = client;
        this.access = access;
        this.servers = servers;
        this.root = root;
        this.sessionTimeoutMillis = sessionTimeoutMillis;
    }

    /**
     * Connects with the cluster secret.
     *
     * @throws MembershipException if no server answers in time, or if the file of the secret cannot be used; the
     *     message names the servers or the file
     */
    public static ZooKeeperTree connect(Settings settings) throws MembershipException {
        try {
            return connect(settings, SecretFile.open(settings.get(SecretFile.FILE)));
        } catch (MembershipException e) {
            throw e;
        } catch (IOException e) {
            throw new MembershipException(String.valueOf(e.getMessage()), e);
        }
    }

    static ZooKeeperTree connect(Settings settings, Supplier<ClusterSecret> secret) throws MembershipException {
        NodeAccess access = new NodeAccess(settings.get(ROOT), secret);
        String servers = settings.get(CONNECT);
        int sessionMillis = Math.toIntExact(settings.get(SESSION_TIMEOUT));
        int connectMillis = Math.toIntExact(settings.get(CONNECT_TIMEOUT));
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(sessionMillis)
                .connectionTimeoutMs(Math.min(connectMillis, sessionMillis))
                .retryPolicy(new RetryNTimes(RETRIES, RETRY_MILLIS))
                .aclProvider(access)
                .zookeeperFactory(new IntroducedSessions(access))
                // The client must use only the configured servers, not the list of servers that ZooKeeper sends.
                .ensembleTracker(false)
                .build();
        client.start();
        try {
            ZooKeeperPing ping = new ZooKeeperPing(servers);
            boolean connected = StartStep.of("waits for a session of ZooKeeper at " + servers, LOG::info)
                    .await(
                            connectMillis,
                            millis -> client.blockUntilConnected((int) millis, TimeUnit.MILLISECONDS),
                            ping::ask);
            if (!connected) {
                client.close();
                throw new MembershipException(nobody(servers, connectMillis, ping.answers()));
            }
        } catch (InterruptedException e) {
            client.close();
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while connecting to ZooKeeper at " + servers, e);
        }
        return new ZooKeeperTree(client, servers, settings.get(ROOT), sessionMillis, access);
    }

    private static String nobody(String servers, long connectMillis, int answers) {
        return answers == 0
                ? "no ZooKeeper answers at " + servers + " (" + CONNECT.name() + ") within " + connectMillis + " ms"
                : "ZooKeeper serves at " + servers + " (" + CONNECT.name() + "), but opened no session within "
                        + connectMillis * (answers + 1) + " ms";
    }

    /** Whether ZooKeeper answers now. */
    boolean isConnected() {
        return client.getZookeeperClient().isConnected();
    }

    CuratorFramework client() {
        return client;
    }

    int sessionTimeoutMillis() {
        return sessionTimeoutMillis;
    }

    public String root() {
        return root;
    }

    String format() {
        return root + "/format";
    }

    String servers() {
        return root + "/servers";
    }

    String server(ServerId id) {
        return servers() + "/" + id;
    }

    String allAlive() {
        return root + "/alive";
    }

    String alive(ServerId id) {
        return allAlive() + "/" + id;
    }

    String allFigures() {
        return root + "/figures";
    }

    String figures(ServerId id) {
        return allFigures() + "/" + id;
    }

    String shards() {
        return root + "/shards";
    }

    String shard(int number) {
        return shards() + "/" + number;
    }

    String sequences() {
        return root + "/sequence";
    }

    String sequence(int owner) {
        return String.format("%s/%04x", sequences(), owner);
    }

    String allMarks() {
        return root + "/marks";
    }

    String mark(int owner) {
        return String.format("%s/%04x", allMarks(), owner);
    }

    String epoch() {
        return root + "/epoch";
    }

    /** The nodes that exist only as parents of other nodes. */
    Set<String> ownParents() {
        return Set.of(root, servers(), allAlive(), allFigures(), shards(), sequences(), allMarks());
    }

    /** A call of the library Curator, which may throw any exception. */
    interface Call<T> {
        T run() throws Exception;
    }

    /**
     * Makes the call. Converts every failure into a {@link MembershipException} that names the path and the servers.
     */
    <T> T call(String path, Call<T> call) throws MembershipException {
        try {
            return call.run();
        } catch (MembershipException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted at " + path + " in ZooKeeper", e);
        } catch (KeeperException.NoAuthException e) {
            throw new MembershipException(
                    "ZooKeeper at " + servers + ", " + path + ": the cluster secret of this process ("
                            + SecretFile.FILE.name() + ") may not change the nodes there; another one protects them",
                    e);
        } catch (Exception e) {
            throw new MembershipException("ZooKeeper at " + servers + ", " + path + ": " + e.getMessage(), e);
        }
    }

    /** The node's content and version; empty if there is no such node. */
    <T extends Record> Optional<Versioned<T>> read(String path, Class<T> type) throws MembershipException {
        return call(path, () -> {
            try {
                Stat stat = new Stat();
                byte[] text = client.getData().storingStatIn(stat).forPath(path);
                return Optional.of(new Versioned<>(Json.decode(text, type, path + " in ZooKeeper"), stat.getVersion()));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
    }

    /**
     * Reads a node in the same way as {@link #read}. An unreadable node is added to the strangers, and the result is
     * empty.
     */
    <T extends Record> Optional<Versioned<T>> readIfRight(String path, Class<T> type, Strangers strangers)
            throws MembershipException {
        try {
            return read(path, type);
        } catch (UnreadableNodeException e) {
            strangers.add(path, e);
            return Optional.empty();
        }
    }

    /** The node's metadata; empty if there is no such node. */
    Optional<Stat> stat(String path) throws MembershipException {
        return call(path, () -> Optional.ofNullable(client.checkExists().forPath(path)));
    }

    /**
     * Replaces the content of an existing node. The method does not look at the old content. Returns false if the node
     * does not exist, or if another process changes the node at the same time.
     */
    boolean overwrite(String path, Record value) throws MembershipException {
        Optional<Stat> stat = stat(path);
        return stat.isPresent()
                && tryReplace(path, stat.get().getVersion(), value).isPresent();
    }

    /**
     * Allows only sessions that know the cluster secret to change the nodes. After a change of the cluster secret, the
     * nodes must be protected again. The root is protected last. So if the root is protected, all nodes are protected.
     *
     * @return the number of nodes whose access rights were changed
     */
    int protect() throws MembershipException {
        Optional<List<ACL>> root = acl(root());
        return root.isEmpty() || access.isRight(root.get()) ? 0 : protectAll();
    }

    /** Does the same as {@link #protect}, but checks every node even if the root is protected. */
    public int protectAll() throws MembershipException {
        return protectBelow(root());
    }

    private int protectBelow(String path) throws MembershipException {
        int changed = 0;
        for (String child : children(path)) {
            changed += protectBelow(path + "/" + child);
        }
        Optional<List<ACL>> found = acl(path);
        if (found.isEmpty() || access.isRight(found.get())) {
            return changed;
        }
        return call(path, () -> {
                    try {
                        client.setACL().withACL(access.getDefaultAcl()).forPath(path);
                        return true;
                    } catch (KeeperException.NoNodeException e) {
                        return false;
                    }
                })
                ? changed + 1
                : changed;
    }

    /** Whether only sessions that know the cluster secret may change the node. */
    boolean isProtected(String path) throws MembershipException {
        return acl(path).map(access::isRight).orElse(true);
    }

    private Optional<List<ACL>> acl(String path) throws MembershipException {
        return call(path, () -> {
            try {
                return Optional.of(client.getACL().forPath(path));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
    }

    /** The present secret. After a change of the secret, this method returns another object. */
    ClusterSecret secret() {
        return access.secret();
    }

    /** Authenticates the present session again, after a change of the secret. */
    void introduceAgain() throws MembershipException {
        call(root(), () -> {
            access.introduce(client.getZookeeperClient().getZooKeeper());
            return true;
        });
    }

    /** Makes a persistent node. Returns false if the node already exists. */
    boolean create(String path, Record value) throws MembershipException {
        return call(path, () -> {
            try {
                client.create()
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.PERSISTENT)
                        .forPath(path, Json.encode(value));
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        });
    }

    /** Makes a persistent node, or replaces the content of an existing node. The old content does not matter. */
    void put(String path, Record value) throws MembershipException {
        boolean wasThere = call(path, () -> {
            try {
                client.setData().forPath(path, Json.encode(value));
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        });
        if (!wasThere && !create(path, value)) {
            call(path, () -> client.setData().forPath(path, Json.encode(value)));
        }
    }

    /**
     * Replaces a node's content if the node still has the given version.
     *
     * @param value the new content. No other process may write the same value. If an earlier try succeeded but its
     *     answer was lost, the method recognises that try by the value
     * @return the new version
     * @throws MembershipException if another process changed the node
     */
    <T extends Record> int replace(String path, int version, T value, Class<T> type) throws MembershipException {
        Optional<Integer> replaced = tryReplace(path, version, value);
        if (replaced.isPresent()) {
            return replaced.get();
        }
        return read(path, type)
                .filter(found -> found.value().equals(value))
                .orElseThrow(() -> new MembershipException(path + " in ZooKeeper was changed by another process"))
                .version();
    }

    /**
     * Replaces a node's content if the node still has the given version. Returns the new version; empty if the node has
     * another version.
     */
    Optional<Integer> tryReplace(String path, int version, Record value) throws MembershipException {
        return call(path, () -> {
            try {
                return Optional.of(client.setData()
                        .withVersion(version)
                        .forPath(path, Json.encode(value))
                        .getVersion());
            } catch (KeeperException.BadVersionException e) {
                return Optional.empty();
            }
        });
    }

    /** Whether the node has the version, in the judgement of ZooKeeper's leader at a moment after the call began. */
    boolean isAt(String path, int version) throws MembershipException {
        return call(path, () -> {
            try {
                var unused = client.transaction()
                        .forOperations(client.transactionOp()
                                .check()
                                .withVersion(version)
                                .forPath(path));
                return true;
            } catch (KeeperException.BadVersionException e) {
                return false;
            }
        });
    }

    /**
     * Replaces a node's content if each of the given nodes still has the given version.
     *
     * @param versions the versions by path, with that of the node itself
     * @return whether the content was replaced; false too if an answer was lost, so that the caller must look again
     */
    boolean tryReplace(String path, Map<String, Integer> versions, Record value) throws MembershipException {
        return call(path, () -> {
            List<CuratorOp> operations = new ArrayList<>();
            for (Map.Entry<String, Integer> other : versions.entrySet()) {
                if (!other.getKey().equals(path)) {
                    operations.add(client.transactionOp()
                            .check()
                            .withVersion(other.getValue())
                            .forPath(other.getKey()));
                }
            }
            int version = Objects.requireNonNull(versions.get(path), "the version of the node itself");
            operations.add(client.transactionOp().setData().withVersion(version).forPath(path, Json.encode(value)));
            try {
                var unused = client.transaction().forOperations(operations);
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    /**
     * Replaces the contents of two nodes if each of them still has the given version.
     *
     * @return whether both contents were replaced; false too if an answer was lost, so that the caller must look again
     */
    boolean tryReplaceBoth(
            String one, Versioned<? extends Record> ofOne, String other, Versioned<? extends Record> ofOther)
            throws MembershipException {
        return call(one, () -> {
            List<CuratorOp> operations = List.of(
                    client.transactionOp()
                            .setData()
                            .withVersion(ofOne.version())
                            .forPath(one, Json.encode(ofOne.value())),
                    client.transactionOp()
                            .setData()
                            .withVersion(ofOther.version())
                            .forPath(other, Json.encode(ofOther.value())));
            try {
                var unused = client.transaction().forOperations(operations);
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    /** The names of the nodes below the path; empty if there is no such path. */
    List<String> children(String path) throws MembershipException {
        return call(path, () -> {
            try {
                return client.getChildren().forPath(path);
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            }
        });
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "ZooKeeper at " + servers + " under " + root;
    }
}
