package io.steadfs.membership;

import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.hello.PeerName;
import io.steadfs.hello.Welcome;
import io.steadfs.outage.Outages;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.secret.SecretFile;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server's part in the file system. It proves the server's identity, reserves its handles, announces that it is alive, and knows the
 * other servers.
 *
 * <p>While ZooKeeper does not answer, the last {@link #map} stands and reserved handles may be given out; only changes of membership wait.
 * After its session is lost, the server announces itself again by itself. A change is counted (the epoch rises) by the server that joins,
 * or by any metadata server that notices it; see {@link Epochs}.
 *
 * <p>After {@link #open}, one thread of this object makes all calls to ZooKeeper. The parts:
 *
 * <pre>
 *  Enrolment         proves the identity, before all others
 *  Arrival           announces the server
 *  MapRefresh        follows the nodes, and puts each newer map into NewestMap
 *  NodeProtection    follows the cluster secret
 *  ShardHosts        makes a metadata server the host of a shard
 *  SequenceBlocks    reserve numbers for handles
 * </pre>
 */
public final class Membership implements AutoCloseable {
    /** All configuration keys of this package that a server uses. */
    public static final ConfigKeys KEYS =
            ZooKeeperTree.KEYS.and(SecretFile.KEYS).and(new ConfigKeys(List.of(SequenceBlocks.BLOCK)));

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long OUTAGE_LOOK_MILLIS = 1000;
    /** How often to check whether the cluster secret was changed. */
    private static final long SECRET_MILLIS = 2000;

    private final ServerId server;
    private final DataDirectory directory;
    private final ZooKeeperTree tree;
    /** Names the disk under the directory. */
    private final String disk;

    private final Outages outages;
    private final FileSystemFormat format;
    private final StoreIdentity identity;
    private final long sequenceBlock;
    private final SecretFile secret;
    private final MembershipThread thread;
    private final NewestMap newest;
    private final Announcement announcement;
    private final MapRefresh refresh;
    private final Arrival arrival;
    private final Map<Integer, SequenceBlocks> sequences = new ConcurrentHashMap<>();

    private Membership(
            ServerId server,
            DataDirectory directory,
            ZooKeeperTree tree,
            FileSystemFormat format,
            StoreIdentity identity,
            long sequenceBlock,
            SecretFile secret) {
        this.server = server;
        this.directory = directory;
        this.tree = tree;
        this.format = format;
        this.identity = identity;
        this.sequenceBlock = sequenceBlock;
        this.secret = secret;
        this.disk = Announcement.disk(directory);
        this.outages = new Outages(server.toString(), new SystemClock(), LOG::warn);
        this.thread = new MembershipThread(server);
        this.newest = new NewestMap(server);
        this.announcement = new Announcement(tree, server, directory);
        Epochs epochs = new Epochs(tree, () -> map().getEpoch());
        this.refresh = new MapRefresh(server, tree, format, thread, announcement, epochs, newest);
        this.arrival = new Arrival(server, tree, thread, announcement, epochs, refresh, newest);
    }

    /**
     * Checks the server's identity and learns the cluster map. The server is not announced yet.
     *
     * @param directory to be closed by the caller, after this object
     * @param replaceStore accepts an empty directory in place of one that was lost
     * @throws MembershipException if ZooKeeper does not answer, holds no file system, or the directory is not this server's
     */
    public static Membership open(Settings settings, ServerId server, DataDirectory directory, boolean replaceStore)
            throws MembershipException {
        SecretFile secret = secret(settings);
        ZooKeeperTree tree = ZooKeeperTree.connect(settings, secret);
        try {
            FileSystemFormat format = FileSystemFormat.read(tree);
            NodeProtection.protect(tree);
            StoreIdentity identity = new Enrolment(tree, format, server, directory).enrol(replaceStore);
            Membership membership = new Membership(
                    server, directory, tree, format, identity, settings.get(SequenceBlocks.BLOCK), secret);
            membership.start(Duration.ofMillis(settings.get(ZooKeeperTree.CONNECT_TIMEOUT)));
            return membership;
        } catch (MembershipException | RuntimeException e) {
            tree.close();
            throw e;
        }
    }

    private static SecretFile secret(Settings settings) throws MembershipException {
        try {
            return SecretFile.open(settings.get(SecretFile.FILE));
        } catch (IOException e) {
            throw new MembershipException(String.valueOf(e.getMessage()), e);
        }
    }

    private void start(Duration patience) throws MembershipException {
        thread.runEvery(OUTAGE_LOOK_MILLIS, this::tellOutage);
        tree.client().getConnectionStateListenable().addListener((client, state) -> {
            LOG.info("{}: connection to ZooKeeper is {}", server, state);
            if (state == ConnectionState.RECONNECTED) {
                // The connection may have begun a new session, which has no node yet.
                thread.run(refresh::refreshAnnouncement, "announces nothing");
                refresh.soon();
            }
        });
        thread.runEvery(SECRET_MILLIS, new NodeProtection(server, tree, secret)::follow);
        try {
            refresh.start(patience);
        } catch (MembershipException e) {
            thread.stop();
            refresh.watched().close();
            throw e;
        }
    }

    /** Logs the outage again and again while ZooKeeper does not answer. */
    private void tellOutage() {
        outages.look(
                isConnected()
                        ? Map.of()
                        : Map.of(
                                "ZooKeeper",
                                tree + " does not answer; " + newest.stands()
                                        + ", and no server comes or goes until it answers"));
    }

    public ServerId server() {
        return server;
    }

    public FileSystemFormat format() {
        return format;
    }

    /** The greeting of this server to those that connect to it. */
    public Welcome welcome() {
        return new Welcome(new PeerName(format.fileSystem().toString(), server.role(), server.number()), secret);
    }

    public StoreIdentity identity() {
        return identity;
    }

    /** The newest known cluster map; from any thread, without waiting. */
    public ClusterMap map() {
        return newest.get();
    }

    /** Gives the listener the present map and each newer one, in order, on the thread of this object. */
    public void listen(Consumer<ClusterMap> listener) {
        thread.execute(() -> newest.listen(listener));
    }

    /** Waits for a map with a property. Returns false if there is none in time. */
    public boolean await(Predicate<ClusterMap> property, Duration patience) throws InterruptedException {
        return newest.await(property, patience);
    }

    /** For tests: stops as a killed process does, without a message to ZooKeeper. */
    void halt() {
        thread.stop();
    }

    /** For tests that end this server's session. */
    CuratorFramework client() {
        return tree.client();
    }

    /** Why this server does not hear of the others, one line each; from any thread, without waiting. */
    public List<String> problems() {
        return isConnected() ? refresh.problems() : List.of(tree + " does not answer; " + newest.stands());
    }

    /** Whether ZooKeeper answers now. */
    public boolean isConnected() {
        return tree.isConnected();
    }

    /**
     * Sequence numbers for the handles of an owner that lives in this server's directory; the same object at each call.
     *
     * @param owner id in the handles
     */
    public SequenceBlocks sequence(int owner) throws MembershipException {
        SequenceBlocks known = sequences.get(owner);
        if (known != null) {
            return known;
        }
        return thread.call(() -> {
            SequenceBlocks made = sequences.get(owner);
            if (made == null) {
                made = SequenceBlocks.open(tree, owner, directory, sequenceBlock, thread);
                sequences.put(owner, made);
            }
            return made;
        });
    }

    /**
     * The place for the newest mark of the store of an owner that lives in this server's directory.
     *
     * @param owner id in the handles
     */
    public MarkPlace marks(int owner) {
        return new MarkNode(tree, owner, thread, this::isConnected);
    }

    /** Numbers of the shards that this metadata server hosts, from now or from an earlier process. */
    public SortedSet<Integer> hostedShards() {
        return refresh.watched().shardsOf(server.number());
    }

    /**
     * Makes this metadata server the host of a shard.
     *
     * @throws MembershipException if another server hosts the shard: its store is not here
     */
    public void hostShard(int shard) throws MembershipException {
        if (server.role() != ClusterMap.Role.MDS) {
            throw new IllegalStateException(server + " hosts no shards");
        }
        thread.call(() -> {
            new ShardHosts(tree).claim(shard, server);
            return shard;
        });
    }

    /**
     * Announces that the server serves, and where. Returns when the newest map shows it. A later call with another address moves the
     * server.
     *
     * @param rack empty where unknown
     * @throws MembershipException if another process is alive as this server for longer than two session timeouts, or if nothing changes in
     *     ZooKeeper for as long
     */
    public void announce(ServerAddress address, String rack, long capacityBytes, long freeBytes)
            throws MembershipException {
        arrival.announce(address, rack, capacityBytes, freeBytes);
    }

    /** Renews the space of this server that others know. It takes effect soon, without a new epoch. Only after {@link #announce}. */
    public void reportSpace(long capacityBytes, long freeBytes) {
        thread.run(
                () -> announcement.wanted().ifPresent(now -> {
                    if (now.capacityBytes() != capacityBytes || now.freeBytes() != freeBytes) {
                        announcement.want(now.address(), now.rack(), capacityBytes, freeBytes);
                        refresh.refreshAnnouncement();
                    }
                }),
                "reports no space");
    }

    /**
     * Records this IO server's space in a node that stays when the server goes. From any thread, without waiting. A failure does no harm:
     * the next record replaces it.
     *
     * @param usedBytes of all datafiles
     * @param atMillis when it was measured, milliseconds since 1970
     */
    public void leaveFigures(long capacityBytes, long freeBytes, long usedBytes, long atMillis) {
        FiguresNode figures = new FiguresNode(capacityBytes, freeBytes, usedBytes, disk, atMillis);
        thread.run(
                () -> {
                    try {
                        if (isConnected()) {
                            tree.put(tree.figures(server), figures);
                        }
                    } catch (MembershipException e) {
                        LOG.debug("{} leaves no word of its space", server, e);
                    }
                },
                "leaves no word of its space");
    }

    /** Leaves: the server no longer counts as alive. Its identity and reserved handles stay. */
    @Override
    public void close() {
        thread.stopAndWait();
        refresh.watched().close();
        tree.close();
    }
}
