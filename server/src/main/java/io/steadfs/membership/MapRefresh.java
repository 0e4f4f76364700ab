package io.steadfs.membership;

import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the newest map up to date whenever a node in ZooKeeper changed. Before that it makes the node that announces this server anew, if
 * that is missing, and counts a change of the membership that nobody has counted. What fails is tried again.
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
    private final AtomicBoolean planned = new AtomicBoolean();
    /** Whether the server is announcing itself: then it counts the change itself. */
    private volatile boolean joining;

    /** Why the last refresh failed; empty if it did not. */
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
    }

    /** Reads all nodes once, as {@link WatchedTree#start}, and builds the first map. */
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

    /** Why the last refresh failed; empty if it did not. */
    Optional<String> stuck() {
        return stuck;
    }

    /** Why the map may lack something although ZooKeeper answers, one line each; from any thread, without waiting. */
    List<String> problems() {
        List<String> all = new ArrayList<>();
        stuck.ifPresent(reason -> all.add(reason + "; " + newest.stands()));
        strange.forEach(node -> all.add(node + "; it is skipped (stead membership remove)"));
        return all;
    }

    /** From any thread. Several calls before the refresh begins cause one refresh. */
    void soon() {
        if (planned.compareAndSet(false, true)) {
            thread.run(this::refresh, "refreshes nothing");
        }
    }

    /** Makes the node that announces this server equal to the wanted one; on the thread. */
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
            newest.replace(look());
            stuck = Optional.empty();
        } catch (MembershipException | RuntimeException e) {
            LOG.warn("{} keeps the map of epoch {}: {}", server, newest.get().getEpoch(), e.getMessage());
            stuck = Optional.of(String.valueOf(e.getMessage()));
            retryLater();
        }
    }

    /** Builds the map from the nodes that are ours. Each other node is logged once. */
    private ClusterMap look() {
        Strangers strangers = new Strangers();
        ClusterMap map = watched.map(strangers);
        List<String> lines = strangers.lines();
        lines.stream().filter(line -> !strange.contains(line)).forEach(line -> LOG.warn("{} skips {}", server, line));
        strange = lines;
        return map;
    }
}
