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
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server's part in the file system. This class proves the server's identity, reserves the server's handles, and
 * announces that the server is alive. This class also knows the other servers.
 *
 * <p>While ZooKeeper does not answer, the last {@link #map} stays valid, and the server may give out reserved handles.
 * Only changes of the membership wait until ZooKeeper answers. If the server's session is lost, the server announces
 * itself again in a new session. The server that joins counts the change of the membership, so that the epoch rises.
 * Any metadata server that notices a change may count the change, too; see {@link Epochs}.
 *
 * <p>After {@link #open}, one thread of this object makes all calls to ZooKeeper. The membership has these parts:
 *
 * <pre>
 *  Enrolment         proves the identity, before all others
 *  Arrival           announces the server
 *  MapRefresh        follows the nodes, and puts each newer map into NewestMap
 *  NodeProtection    follows the cluster secret
 *  ShardHosts        makes a metadata server the host of a shard
 *  Additions         lets added shards serve
 *  ShardMoves        lets shards move to other servers
 *  SequenceBlocks    reserve numbers for handles
 * </pre>
 */
public final class Membership implements AutoCloseable {
    /** All configuration keys of this package that a server uses. */
    public static final ConfigKeys KEYS =
            ZooKeeperTree.KEYS.and(SecretFile.KEYS).and(new ConfigKeys(List.of(SequenceBlocks.BLOCK)));

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long OUTAGE_LOOK_MILLIS = 1000;
    /** Time between two checks whether the cluster secret was changed, in milliseconds. */
    private static final long SECRET_MILLIS = 2000;

    private final ServerId server;
    private final DataDirectory directory;
    private final ZooKeeperTree tree;
    /** Identifies the disk under the data directory. */
    private final String disk;

    private final Outages outages;
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
        this.identity = identity;
        this.sequenceBlock = sequenceBlock;
        this.secret = secret;
        this.disk = Announcement.disk(directory);
        this.outages = new Outages(server.toString(), new SystemClock(), LOG::warn);
        this.thread = new MembershipThread(server);
        this.newest = new NewestMap(server);
        this.announcement = new Announcement(tree, server, directory, format.shardVersion());
        Epochs epochs = new Epochs(tree, () -> map().getEpoch());
        this.refresh = new MapRefresh(server, tree, format, thread, announcement, epochs, newest);
        this.arrival = new Arrival(server, tree, thread, announcement, epochs, refresh, newest);
    }

    /**
     * Checks the server's identity and learns the cluster map. The server is not announced yet.
     *
     * @param directory data directory of the server; the caller must close it after this object
     * @param replaceStore whether an empty directory may replace a lost directory
     * @throws MembershipException if ZooKeeper does not answer or has no file system; also if the directory does not
     *     belong to this server
     */
    public static Membership open(Settings settings, ServerId server, DataDirectory directory, boolean replaceStore)
            throws MembershipException {
        SecretFile secret = secret(settings);
        ZooKeeperTree tree = ZooKeeperTree.connect(settings, secret);
        try {
            FileSystemFormat format = FileSystemFormat.confirm(tree);
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
                // ZooKeeper's client may have begun a new session, and the new session has no node yet.
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

    /** Logs the outage repeatedly while ZooKeeper does not answer. */
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

    /** The newest known format. Only shards are added to it, and moves are allowed in it. */
    public FileSystemFormat format() {
        return refresh.watched().format();
    }

    /**
     * Asks ZooKeeper how many shards the file system has, with those that are joining. The number was right at a moment
     * after the call. May be called from any thread, and does not wait. The future fails if ZooKeeper does not answer.
     */
    public CompletableFuture<Integer> confirmShards() {
        CompletableFuture<Integer> shards = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    if (!isConnected()) {
                        throw new MembershipException(tree + " does not answer");
                    }
                    shards.complete(FileSystemFormat.confirm(tree).shards().all());
                } catch (MembershipException | RuntimeException e) {
                    shards.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            shards.completeExceptionally(new MembershipException("membership of " + server + " is closed", e));
        }
        return shards;
    }

    /**
     * Sets how this server learns of more shards, when the newest map has them. The server says that it counts them when
     * the future completes. Nothing that was decided by an older map may be under way then.
     */
    public void learnShardsBy(Supplier<CompletableFuture<?>> learning) {
        refresh.learnBy(learning);
    }

    /** Notes that this metadata server has opened a shard that has moved, or whose move was cancelled. */
    public void shardIsOpen(int shard) throws MembershipException {
        thread.call(() -> {
            new ShardHosts(tree).opened(shard, server);
            return shard;
        });
    }

    /** Notes that a joining shard of this metadata server may begin to serve. */
    public void shardIsReady(int shard) throws MembershipException {
        thread.call(() -> {
            new ShardHosts(tree).ready(shard, server);
            return shard;
        });
    }

    /** Tells peers that connect who this server is. */
    public Welcome welcome() {
        return new Welcome(new PeerName(format().fileSystem().toString(), server.role(), server.number()), secret);
    }

    public StoreIdentity identity() {
        return identity;
    }

    /** The newest known cluster map. May be called from any thread, and does not wait. */
    public ClusterMap map() {
        return newest.get();
    }

    /**
     * Gives the listener the present map, and later each newer map. The thread of this object calls the listener with
     * the maps in order.
     */
    public void listen(Consumer<ClusterMap> listener) {
        thread.execute(() -> newest.listen(listener));
    }

    /** Waits until the newest map has a property. Returns false if no map has the property in time. */
    public boolean await(Predicate<ClusterMap> property, Duration patience) throws InterruptedException {
        return newest.await(property, patience);
    }

    /** Stops without a message to ZooKeeper, like a killed process. For tests only. */
    void halt() {
        thread.stop();
    }

    /** ZooKeeper's client of this server, for tests that end the server's session. */
    CuratorFramework client() {
        return tree.client();
    }

    /**
     * Reasons why this server does not learn about changes of other servers. Each reason is one line. May be called
     * from any thread, and does not wait.
     */
    public List<String> problems() {
        return isConnected() ? refresh.problems() : List.of(tree + " does not answer; " + newest.stands());
    }

    /** Whether ZooKeeper answers now. */
    public boolean isConnected() {
        return tree.isConnected();
    }

    /**
     * The sequence numbers for the handles of an owner. The owner's data must be in this server's directory. Every call
     * with the same owner returns the same object.
     *
     * @param owner owner id that the handles contain
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
     * The place for the newest mark of an owner's store. The owner's data must be in this server's directory.
     *
     * @param owner owner id that the handles contain
     */
    public MarkPlace marks(int owner) {
        return new MarkNode(tree, owner, thread, this::isConnected);
    }

    /**
     * Numbers of the shards that this metadata server hosts. An earlier process of this server may have become the
     * host.
     */
    public SortedSet<Integer> hostedShards() {
        return refresh.watched().shardsOf(server.number());
    }

    /**
     * Makes this metadata server the host of a shard.
     *
     * @return the place of the shard, with this server as the host
     * @throws MembershipException if another server hosts the shard; this server does not have that shard's store. Also if
     *     this server has given the store away
     */
    public ShardPlace hostShard(int shard) throws MembershipException {
        if (server.role() != ClusterMap.Role.MDS) {
            throw new IllegalStateException(server + " hosts no shards");
        }
        return thread.call(() -> new ShardHosts(tree).claim(shard, server));
    }

    /**
     * The places of the shards, as far as this server has heard of them. May be called from any thread, and does not wait.
     */
    public SortedMap<Integer, ShardPlace> shardPlaces() {
        return refresh.watched().places();
    }

    /** Sets who is told when {@link #shardPlaces} has changed. That must not wait. */
    public void tellPlaces(Runnable changed) {
        refresh.tellPlaces(changed);
    }

    /** The place of a shard at a moment after the call began. */
    public ShardPlace confirmPlace(int shard) throws MembershipException {
        return thread.call(() -> new ShardMoves(tree).confirm(shard));
    }

    /**
     * Gives the store of a shard of this server away. From then on this server must not open it.
     *
     * @param target the number of the metadata server to which the shard moves
     * @param move the number of the move that this server means, as {@link ShardPlace#move} has it
     * @return the place of the shard, which is given
     * @throws MembershipException if the shard is not here, or not in this move; also if the answer of ZooKeeper was lost
     */
    public ShardPlace giveShard(int shard, int target, int move) throws MembershipException {
        return thread.call(() -> new ShardMoves(tree).give(shard, server, ServerId.mds(target), move));
    }

    /**
     * Makes this server the host of a shard whose store it has durably.
     *
     * @param move the number of the move in which the store was given
     * @return the version of the place after that; empty if the move was cancelled
     * @throws MembershipException if ZooKeeper cannot be asked; then this server may be the host or not
     */
    public OptionalInt takeShard(int shard, int move) throws MembershipException {
        return thread.call(() -> new ShardMoves(tree).take(shard, server, move));
    }

    /**
     * Reserves no more sequence numbers for an owner whose data goes to another server. The data must not be in use any more.
     *
     * @param owner owner id that the handles contain
     * @return the record of the owner in the data directory. The other server must have it
     */
    public SequenceRecord stopReserving(int owner) throws MembershipException {
        return thread.call(() -> {
            retire(owner);
            return directory.sequence(owner);
        });
    }

    /** Records for an owner whose data has come from another server what that server had recorded. */
    public void adoptSequence(int owner, SequenceRecord record) throws MembershipException {
        thread.call(() -> {
            retire(owner);
            directory.setSequence(owner, record);
            return owner;
        });
    }

    /** Removes the record of an owner whose data is at another server. */
    public void forgetSequence(int owner) throws MembershipException {
        thread.call(() -> {
            retire(owner);
            directory.removeSequence(owner);
            return owner;
        });
    }

    private void retire(int owner) {
        SequenceBlocks reserving = sequences.remove(owner);
        if (reserving != null) {
            reserving.retire();
        }
    }

    /**
     * Announces that the server serves at this address. Returns after the newest map shows the server. A later call
     * with another address moves the server to that address.
     *
     * @param rack rack of the server; empty = unknown
     * @throws MembershipException if another process stays announced as this server for longer than two session
     *     timeouts. Also if nothing changes in ZooKeeper for that time
     */
    public void announce(ServerAddress address, String rack, long capacityBytes, long freeBytes)
            throws MembershipException {
        arrival.announce(address, rack, capacityBytes, freeBytes);
    }

    /**
     * Reports the present space of this server to other servers. The report takes effect soon, without a new epoch.
     * Does nothing before {@link #announce}.
     */
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
     * Records this IO server's space in a node that stays after the server has stopped. A failure does no harm, because
     * the next record replaces the node. May be called from any thread, and does not wait.
     *
     * @param usedBytes number of bytes in all datafiles
     * @param atMillis time when the space was measured, in milliseconds since 1970
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

    /**
     * Leaves the file system, so that the server no longer counts as alive. The server keeps its identity and its
     * reserved handles.
     */
    @Override
    public void close() {
        thread.stopAndWait();
        refresh.watched().close();
        tree.close();
    }
}
