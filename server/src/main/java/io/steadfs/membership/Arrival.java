package io.steadfs.membership;

import io.steadfs.outage.StartStep;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces a server, and waits until the server's own cluster map shows the server. Used by one thread, which must not
 * be the {@link MembershipThread}.
 */
final class Arrival {
    private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);
    private static final long PAUSE_MILLIS = 200;

    /** Time for which an arrival waits in addition to two session timeouts, in milliseconds. */
    private static final long MORE_MILLIS = 1000;

    private final ServerId server;
    private final ZooKeeperTree tree;
    private final MembershipThread thread;
    private final Announcement announcement;
    private final Epochs epochs;
    private final MapRefresh refresh;
    private final NewestMap newest;

    Arrival(
            ServerId server,
            ZooKeeperTree tree,
            MembershipThread thread,
            Announcement announcement,
            Epochs epochs,
            MapRefresh refresh,
            NewestMap newest) {
        this.server = server;
        this.tree = tree;
        this.thread = thread;
        this.announcement = announcement;
        this.epochs = epochs;
        this.refresh = refresh;
        this.newest = newest;
    }

    /** Does what {@link Membership#announce} says. */
    void announce(ServerAddress address, String rack, long capacityBytes, long freeBytes) throws MembershipException {
        refresh.setJoining(true);
        try {
            join(address, rack, capacityBytes, freeBytes);
        } finally {
            refresh.setJoining(false);
        }
    }

    private void join(ServerAddress address, String rack, long capacityBytes, long freeBytes)
            throws MembershipException {
        Duration patience = Duration.ofMillis(2L * tree.sessionTimeoutMillis() + MORE_MILLIS);
        long end = System.nanoTime() + patience.toNanos();
        thread.call(() -> {
            rememberFirstAddress(address);
            announcement.want(address.toString(), rack, capacityBytes, freeBytes);
            return address;
        });
        // After a process has died, its session expires, and the node of the session disappears.
        while (!thread.call(announcement::refresh)) {
            if (System.nanoTime() >= end) {
                throw new MembershipException(
                        "another process runs as server " + server + " at " + thread.call(announcement::inTheWay));
            }
            pause();
        }
        thread.call(epochs::settle);
        refresh.soon();
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
        WatchedTree watched = refresh.watched();
        try {
            long before = watched.changes();
            boolean isShown = StartStep.of(server + " waits for the cluster map to show it at " + address, LOG::info)
                    .await(
                            patience.toMillis(),
                            millis -> isShown(address, Duration.ofMillis(millis)),
                            () -> watched.changes() - before);
            if (!isShown) {
                throw new MembershipException(server + " announced itself at " + address + " in " + tree
                        + ", but the cluster map of epoch " + newest.get().getEpoch()
                        + " does not show it, and nothing changed for "
                        + patience.toMillis() + " ms"
                        + refresh.stuck().map(reason -> ": " + reason).orElse(""));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while " + server + " was announced", e);
        }
    }

    /**
     * Waits until the newest map shows this server. If no such map came in time, plans a refresh, because the session
     * may have been lost and a new session may have begun.
     */
    private boolean isShown(ServerAddress address, Duration patience) throws InterruptedException {
        if (newest.await(map -> showsSelf(map, address), patience)) {
            return true;
        }
        refresh.soon();
        return false;
    }

    private boolean showsSelf(ClusterMap map, ServerAddress address) {
        return map.getServersList().stream()
                .anyMatch(one -> one.getRole() == server.role()
                        && one.getId() == server.number()
                        && one.getAlive()
                        && one.getHost().equals(address.host())
                        && one.getPort() == address.port());
    }

    private static void pause() throws MembershipException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while waiting for an earlier session to end", e);
        }
    }
}
