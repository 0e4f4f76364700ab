package io.steadfs.membership;

import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.hello.PeerName;
import io.steadfs.hello.Welcome;
import io.steadfs.outage.Outages;
import io.steadfs.outage.StartStep;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.secret.SecretFile;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * <p>After {@link #open}, one thread of this object makes all calls to ZooKeeper.
 */
public final class Membership implements AutoCloseable {
    /** All configuration keys of this package that a server uses. */
    public static final ConfigKeys KEYS =
            ZooKeeperTree.KEYS.and(SecretFile.KEYS).and(new ConfigKeys(List.of(SequenceBlocks.BLOCK)));

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final long RETRY_MILLIS = 1000;
    private static final long STOP_MILLIS = 5000;
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
    private final Epochs epochs;
    private final Announcement announcement;
    private final WatchedTree watched;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<Integer, SequenceBlocks> sequences = new ConcurrentHashMap<>();
    private final List<Consumer<ClusterMap>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final Object mapChanged = new Object();
    /** Whether the server is announcing itself: then it counts the change itself. */
    private volatile boolean joining;

    private volatile ClusterMap map = ClusterMap.getDefaultInstance();
    /** Why the last refresh failed; empty if it did not. */
    private volatile Optional<String> stuck = Optional.empty();
    /** Nodes that were skipped when the map was last built, one line each. */
    private volatile List<String> strange = List.of();
    /** The secret that protects the nodes; used by the thread alone. */
    private ClusterSecret followed;

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
        this.followed = tree.secret();
        this.epochs = new Epochs(tree, () -> map().getEpoch());
        this.announcement = new Announcement(tree, server, directory);
        this.disk = Announcement.disk(directory);
        this.outages = new Outages(server.toString(), new SystemClock(), LOG::warn);
        this.watched = new WatchedTree(tree, format, this::refreshSoon);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "membership " + server);
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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
            protect(tree);
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
        var unused = thread.scheduleWithFixedDelay(
                this::tellOutage, OUTAGE_LOOK_MILLIS, OUTAGE_LOOK_MILLIS, TimeUnit.MILLISECONDS);
        tree.client().getConnectionStateListenable().addListener((client, state) -> {
            LOG.info("{}: connection to ZooKeeper is {}", server, state);
            if (state == ConnectionState.RECONNECTED) {
                announceAgain();
                refreshSoon();
            }
        });
        var unusedToo =
                thread.scheduleWithFixedDelay(this::followSecret, SECRET_MILLIS, SECRET_MILLIS, TimeUnit.MILLISECONDS);
        try {
            watched.start(patience);
            map = look();
        } catch (MembershipException e) {
            thread.shutdownNow();
            watched.close();
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
                                tree + " does not answer; the cluster map of epoch " + map.getEpoch()
                                        + " stands, and no server comes or goes until it answers"));
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
        return map;
    }

    /** Gives the listener the present map and each newer one, in order, on the thread of this object. */
    public void listen(Consumer<ClusterMap> listener) {
        thread.execute(() -> {
            listeners.add(listener);
            tell(listener, map);
        });
    }

    /** Waits for a map with a property. Returns false if there is none in time. */
    public boolean await(Predicate<ClusterMap> property, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        synchronized (mapChanged) {
            while (!property.test(map)) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                mapChanged.wait(left);
            }
        }
        return true;
    }

    /** For tests: stops as a killed process does, without a message to ZooKeeper. */
    void halt() {
        thread.shutdownNow();
    }

    /** For tests that end this server's session. */
    CuratorFramework client() {
        return tree.client();
    }

    /** Why this server does not hear of the others, one line each; from any thread, without waiting. */
    public List<String> problems() {
        String stands = "; the cluster map of epoch " + map.getEpoch() + " stands";
        if (!isConnected()) {
            return List.of(tree + " does not answer" + stands);
        }
        List<String> all = new ArrayList<>();
        stuck.ifPresent(reason -> all.add(reason + stands));
        strange.forEach(node -> all.add(node + "; it is skipped (stead membership remove)"));
        return all;
    }

    /** Whether ZooKeeper answers now. */
    public boolean isConnected() {
        return tree.client().getZookeeperClient().isConnected();
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
        return onThread(() -> {
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
        return watched.shardsOf(server.number());
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
        onThread(() -> {
            if (!tree.create(tree.shard(shard), new ShardNode(server.number()))) {
                int host = hostOf(shard);
                if (host != server.number()) {
                    throw new MembershipException(
                            "shard " + shard + " is hosted by " + ServerId.mds(host) + ", not by " + server);
                }
            }
            return shard;
        });
    }

    /** The host of the shard. If the shard's node cannot be read, its host in the last count is taken and the node is written anew. */
    private int hostOf(int shard) throws MembershipException {
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
            var unused = tree.overwrite(path, new ShardNode(host));
            return host;
        }
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
        joining = true;
        try {
            join(address, rack, capacityBytes, freeBytes);
        } finally {
            joining = false;
        }
    }

    private void join(ServerAddress address, String rack, long capacityBytes, long freeBytes)
            throws MembershipException {
        Duration patience = Duration.ofMillis(2L * tree.sessionTimeoutMillis() + RETRY_MILLIS);
        long end = System.nanoTime() + patience.toNanos();
        onThread(() -> {
            rememberFirstAddress(address);
            announcement.want(address.toString(), rack, capacityBytes, freeBytes);
            return address;
        });
        // The node of a process that died disappears with its session.
        while (!onThread(announcement::refresh)) {
            if (System.nanoTime() >= end) {
                throw new MembershipException(
                        "another process runs as server " + server + " at " + onThread(announcement::inTheWay));
            }
            pause();
        }
        onThread(epochs::settle);
        refreshSoon();
        awaitSelf(address, patience);
    }

    private void rememberFirstAddress(ServerAddress address) throws MembershipException {
        Versioned<ServerNode> node = tree.read(tree.server(server), ServerNode.class)
                .orElseThrow(() -> new MembershipException(tree.server(server) + " was removed from ZooKeeper"));
        if (node.value().firstAddress().isEmpty()) {
            ServerNode known = new ServerNode(node.value().store(), address.toString());
            tree.replace(tree.server(server), node.version(), known, ServerNode.class);
        }
    }

    private void awaitSelf(ServerAddress address, Duration patience) throws MembershipException {
        try {
            long before = watched.changes();
            boolean isShown = StartStep.of(server + " waits for the cluster map to show it at " + address, LOG::info)
                    .await(
                            patience.toMillis(),
                            millis -> isShown(address, Duration.ofMillis(millis)),
                            () -> watched.changes() - before);
            if (!isShown) {
                throw new MembershipException(server + " announced itself at " + address + " in " + tree
                        + ", but the cluster map of epoch " + map.getEpoch()
                        + " does not show it, and nothing changed for "
                        + patience.toMillis() + " ms"
                        + stuck.map(reason -> ": " + reason).orElse(""));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while " + server + " was announced", e);
        }
    }

    /** If no map came, checks again: the session may have been lost and another one begun. */
    private boolean isShown(ServerAddress address, Duration patience) throws InterruptedException {
        if (await(newest -> showsSelf(newest, address), patience)) {
            return true;
        }
        refreshSoon();
        return false;
    }

    private boolean showsSelf(ClusterMap newest, ServerAddress address) {
        return newest.getServersList().stream()
                .anyMatch(one -> one.getRole() == server.role()
                        && one.getId() == server.number()
                        && one.getAlive()
                        && one.getHost().equals(address.host())
                        && one.getPort() == address.port());
    }

    private static void pause() throws MembershipException {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS / 5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while waiting for an earlier session to end", e);
        }
    }

    /** Renews the space of this server that others know. It takes effect soon, without a new epoch. Only after {@link #announce}. */
    public void reportSpace(long capacityBytes, long freeBytes) {
        try {
            thread.execute(() -> {
                announcement.wanted().ifPresent(now -> {
                    if (now.capacityBytes() != capacityBytes || now.freeBytes() != freeBytes) {
                        announcement.want(now.address(), now.rack(), capacityBytes, freeBytes);
                        refreshAnnouncement();
                    }
                });
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("{} reports no space: stopping", server);
        }
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
        try {
            thread.execute(() -> {
                try {
                    if (isConnected()) {
                        tree.put(tree.figures(server), figures);
                    }
                } catch (MembershipException e) {
                    LOG.debug("{} leaves no word of its space", server, e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("{} leaves no word of its space: stopping", server);
        }
    }

    private void refreshAnnouncement() {
        try {
            if (!announcement.refresh()) {
                LOG.error("another process runs as server {} at {}", server, announcement.inTheWay());
                retryLater();
            }
        } catch (MembershipException e) {
            LOG.warn("{} cannot announce itself: {}", server, e.getMessage());
            retryLater();
        }
    }

    /** A reconnection may have begun a new session, which has no node yet. */
    private void announceAgain() {
        try {
            thread.execute(this::refreshAnnouncement);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} announces nothing: stopping", server);
        }
    }

    private interface Task<T> {
        T run() throws MembershipException;
    }

    private <T> T onThread(Task<T> task) throws MembershipException {
        Future<T> result;
        try {
            result = thread.submit(task::run);
        } catch (RejectedExecutionException e) {
            throw new MembershipException("membership of " + server + " is closed", e);
        }
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while " + server + " talked with ZooKeeper", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MembershipException refused) {
                throw refused;
            }
            throw new IllegalStateException("membership of " + server + " failed", e.getCause());
        }
    }

    /** From any thread. Several calls before the refresh begins cause one refresh. */
    private void refreshSoon() {
        if (refreshing.compareAndSet(false, true)) {
            try {
                thread.execute(this::refresh);
            } catch (RejectedExecutionException e) {
                LOG.debug("{} refreshes nothing: stopping", server);
            }
        }
    }

    private void retryLater() {
        try {
            var unused = thread.schedule(this::refreshSoon, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} retries nothing: stopping", server);
        }
    }

    private void refresh() {
        refreshing.set(false);
        try {
            if (announcement.wanted().isPresent() && !watched.showsAlive(server) && isConnected()) {
                refreshAnnouncement();
            }
            if ((server.role() == ClusterMap.Role.MDS || joining) && watched.seemsUncounted() && isConnected()) {
                epochs.settle();
            }
            publish(look());
            stuck = Optional.empty();
        } catch (MembershipException | RuntimeException e) {
            LOG.warn("{} keeps the map of epoch {}: {}", server, map.getEpoch(), e.getMessage());
            stuck = Optional.of(String.valueOf(e.getMessage()));
            retryLater();
        }
    }

    /** Builds the map from the nodes that are ours. Each other node is logged once. */
    private ClusterMap look() {
        Strangers strangers = new Strangers();
        ClusterMap newest = watched.map(strangers);
        List<String> lines = strangers.lines();
        lines.stream().filter(line -> !strange.contains(line)).forEach(line -> LOG.warn("{} skips {}", server, line));
        strange = lines;
        return newest;
    }

    private static void protect(ZooKeeperTree tree) throws MembershipException {
        int changed = tree.protect();
        if (changed > 0) {
            LOG.info("{} node(s) of {} can now be changed only with the cluster secret", changed, tree);
        }
    }

    /** Protects the nodes with the new secret once the secret was changed. */
    private void followSecret() {
        ClusterSecret now = secret.get();
        if (now == followed || !isConnected()) {
            return;
        }
        try {
            tree.introduceAgain();
            protect(tree);
            followed = now;
        } catch (MembershipException e) {
            LOG.warn("{} does not protect the nodes by the changed cluster secret yet: {}", server, e.getMessage());
        }
    }

    private void publish(ClusterMap newest) {
        // Nodes reach the cache one by one. A cache that reads everything anew may go back for a moment.
        if (newest.equals(map) || newest.getEpoch() < map.getEpoch()) {
            return;
        }
        synchronized (mapChanged) {
            map = newest;
            mapChanged.notifyAll();
        }
        listeners.forEach(listener -> tell(listener, newest));
    }

    private void tell(Consumer<ClusterMap> listener, ClusterMap newest) {
        try {
            listener.accept(newest);
        } catch (RuntimeException e) {
            LOG.error("a listener of {} failed at the map of epoch {}", server, newest.getEpoch(), e);
        }
    }

    /** Leaves: the server no longer counts as alive. Its identity and reserved handles stay. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("{}: a call to ZooKeeper does not end", server);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watched.close();
        tree.close();
    }
}
