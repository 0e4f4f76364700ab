package io.steadfs.membership;

import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the newest cluster map whenever a node in ZooKeeper has changed. A refresh has four steps. First, the refresh
 * makes this server's node in ZooKeeper again if that node is missing. Second, the refresh counts a change of the
 * membership if no server has counted the change. Third, the refresh builds the map. Fourth, after shards were added, the
 * server learns to count them, and says so in its node. If a step fails, the refresh is tried again.
 */
final class MapRefresh {
    private static final Logger LOG = LoggerFactory.getLogger(MapRefresh.class);
    private static final long RETRY_MILLIS = 1000;

    private final ServerId server;
    private final ZooKeeperTree tree;
    private final MembershipThread thread;
    private final Announcement announcement;
    private final Epochs epochs;
    private final NewestMap newest;
    private final WatchedTree watched;
    private final Additions additions;
    private final AtomicBoolean planned = new AtomicBoolean();
    /** Makes the server count the shards of the newest map. */
    private volatile Supplier<CompletableFuture<?>> learning = () -> CompletableFuture.completedFuture(true);
    /** Told when places of shards have changed. */
    private volatile Runnable places = () -> {};
    /** The places that were told last. Owned by the thread. */
    private SortedMap<Integer, ShardPlace> told = new TreeMap<>();
    /** The state of the shards that the server learns now; 0 = none. */
    private int learns;
    /** Whether the server is announcing itself. In that case this server counts the change of the membership. */
    private volatile boolean joining;

    /** Why the last refresh failed. Empty if the last refresh succeeded. */
    private volatile Optional<String> stuck = Optional.empty();
    /** Nodes that were skipped when the map was last built, one line each. */
    private volatile List<String> strange = List.of();

    MapRefresh(
            ServerId server,
            ZooKeeperTree tree,
            FileSystemFormat format,
            MembershipThread thread,
            Announcement announcement,
            Epochs epochs,
            NewestMap newest) {
        this.server = server;
        this.tree = tree;
        this.thread = thread;
        this.announcement = announcement;
        this.epochs = epochs;
        this.newest = newest;
        this.watched = new WatchedTree(tree, format, this::soon);
        this.additions = new Additions(tree);
    }

    /**
     * Sets how the server learns of more shards. The future completes when nothing is under way any more that was decided
     * by an older map.
     */
    void learnBy(Supplier<CompletableFuture<?>> how) {
        learning = how;
    }

    /** Sets who is told when places of shards have changed. That runs on the {@link MembershipThread}, and must not wait. */
    void tellPlaces(Runnable changed) {
        places = changed;
    }

    /** Reads all nodes once by {@link WatchedTree#start}, and builds the first map. */
    void start(Duration patience) throws MembershipException {
        watched.start(patience);
        newest.replace(look());
    }

    WatchedTree watched() {
        return watched;
    }

    void setJoining(boolean begins) {
        joining = begins;
    }

    /** Why the last refresh failed. Empty if the last refresh succeeded. */
    Optional<String> stuck() {
        return stuck;
    }

    /**
     * Reasons why the map may be incomplete or old although ZooKeeper answers. Each reason is one line. May be called
     * from any thread, and does not wait.
     */
    List<String> problems() {
        List<String> all = new ArrayList<>();
        stuck.ifPresent(reason -> all.add(reason + "; " + newest.stands()));
        strange.forEach(node -> all.add(node + "; it is skipped (stead membership remove)"));
        return all;
    }

    /**
     * Plans a refresh. Several calls before the refresh begins cause only one refresh. May be called from any thread.
     */
    void soon() {
        if (planned.compareAndSet(false, true)) {
            thread.run(this::refresh, "refreshes nothing");
        }
    }

    /**
     * Makes this server's node in ZooKeeper equal to the wanted node. Must be called on the {@link MembershipThread}.
     */
    void refreshAnnouncement() {
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

    private void retryLater() {
        thread.runAfter(RETRY_MILLIS, this::soon, "retries nothing");
    }

    private void refresh() {
        planned.set(false);
        try {
            if (announcement.wanted().isPresent() && !watched.showsAlive(server) && tree.isConnected()) {
                refreshAnnouncement();
            }
            if ((server.role() == ClusterMap.Role.MDS || joining) && watched.seemsUncounted() && tree.isConnected()) {
                epochs.settle();
            }
            tellPlaces();
            int shardVersion = watched.format().shardVersion();
            newest.replace(look());
            learn(shardVersion);
            if (server.role() == ClusterMap.Role.MDS && tree.isConnected()) {
                additions.settle(watched.format());
            }
            stuck = Optional.empty();
        } catch (MembershipException | RuntimeException e) {
            LOG.warn("{} keeps the map of epoch {}: {}", server, newest.get().getEpoch(), e.getMessage());
            stuck = Optional.of(String.valueOf(e.getMessage()));
            retryLater();
        }
    }

    private void tellPlaces() {
        SortedMap<Integer, ShardPlace> present = watched.places();
        if (!present.equals(told)) {
            told = present;
            places.run();
        }
    }

    /** Lets the server learn of more shards if it does not count them yet. The newest map must have them. */
    private void learn(int shardVersion) {
        if (shardVersion <= announcement.shardVersion() || learns >= shardVersion) {
            return;
        }
        learns = shardVersion;
        var unused = learning.get()
                .whenComplete((done, failure) ->
                        thread.run(() -> learned(shardVersion, Optional.ofNullable(failure)), "counts no more shards"));
    }

    private void learned(int shardVersion, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            LOG.warn("{} cannot count more shards yet: {}", server, String.valueOf(failure.get()));
            learns = 0;
            retryLater();
        } else if (shardVersion > announcement.shardVersion()) {
            announcement.counts(shardVersion);
            refreshAnnouncement();
        }
    }

    /** Builds the map from the nodes that SteadFS servers wrote. Every other node is logged once. */
    private ClusterMap look() {
        Strangers strangers = new Strangers();
        ClusterMap map = watched.map(strangers);
        List<String> lines = strangers.lines();
        lines.stream().filter(line -> !strange.contains(line)).forEach(line -> LOG.warn("{} skips {}", server, line));
        strange = lines;
        return map;
    }
}
