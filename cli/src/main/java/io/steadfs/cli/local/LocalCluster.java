package io.steadfs.cli.local;

import io.steadfs.cli.process.Listening;
import io.steadfs.cli.process.RunningServer;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs a whole cluster in this process, on the loopback address. The cluster consists of ZooKeeper, metadata servers
 * and IO servers. One {@linkplain ClusterFolder directory} contains all state, so the state survives a restart. Not
 * thread-safe.
 */
public final class LocalCluster implements ServingCluster {
    private final ClusterFolder folder;
    private final String zooKeeper;
    private final PlannedServers planned;
    private final EventLoops loops;
    private final TreeMap<ServerId, RunningServer> running = new TreeMap<>();
    private boolean closed;

    private LocalCluster(ClusterFolder folder, String zooKeeper, PlannedServers planned, EventLoops loops) {
        this.folder = folder;
        this.zooKeeper = zooKeeper;
        this.planned = planned;
        this.loops = loops;
    }

    /** Collects the settings of the cluster to start. */
    public static final class Builder extends ClusterBuilder<Builder> {
        private Builder(Path directory) {
            super(directory);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Starts all servers. If the directory is new, the method formats a file system first. The cluster serves
         * requests when the method returns.
         *
         * @throws IOException if the cluster cannot start; no server runs then. The message names the cause, for
         * example an existing file system with another number of servers or shards.
         */
        public LocalCluster start() throws IOException {
            return LocalCluster.start(spec());
        }
    }

    public static Builder in(Path directory) {
        return new Builder(directory);
    }

    private static LocalCluster start(ClusterSpec spec) throws IOException {
        ClusterFolder folder = ClusterFolder.open(spec.directory());
        LocalCluster cluster;
        try {
            String zooKeeper = spec.zooKeeper().isEmpty() ? folder.startZooKeeper(spec.ports()) : spec.zooKeeper();
            PlannedServers planned = PlannedServers.of(spec, folder, zooKeeper);
            cluster = new LocalCluster(folder, zooKeeper, planned, EventLoops.open("stead-server", planned.settings()));
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
        try {
            for (ServerId id : cluster.planned.ids()) {
                cluster.startServer(id, spec.ports(), new Allowed(false, spec.acceptLoss()));
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Starts a server that was stopped. If the server's last port is free, the server uses the same port. */
    public void startServer(ServerId id) throws IOException {
        startServer(id, Allowed.NOTHING);
    }

    /**
     * Starts a server that was stopped, as {@link #startServer(ServerId)} does. The server may start with the losses
     * that {@code allowed} permits.
     */
    public void startServer(ServerId id, Allowed allowed) throws IOException {
        startServer(id, PortChoice.ANY, allowed);
    }

    private void startServer(ServerId id, PortChoice choice, Allowed allowed) throws IOException {
        if (running.containsKey(id)) {
            throw new IllegalStateException(id + " runs already");
        }
        Listening listening = Listening.loopback(ports().of(id, choice));
        RunningServer server = RunningServer.start(
                id,
                directory().resolve(id.toString()),
                listening,
                allowed,
                loops,
                planned.settings().with(planned.own(id)));
        running.put(id, server);
        ports().remember(id.toString(), server.address().port());
        planned.rememberMetrics(id, server.metricsUrl());
    }

    /** Stops one server in an orderly way. The other servers keep running. */
    public void stopServer(ServerId id) throws IOException {
        RunningServer server = running.remove(id);
        if (server == null) {
            throw new IllegalStateException(id + " does not run");
        }
        server.close();
    }

    /**
     * The address of the first running metadata server. The address changes if another program has taken the server's
     * port before a restart of the server.
     */
    @Override
    public ServerAddress address() {
        if (running.isEmpty() || running.firstKey().role() != ClusterMap.Role.MDS) {
            throw new IllegalStateException("no metadata server runs");
        }
        return addressOf(running.firstKey());
    }

    public ServerAddress addressOf(ServerId id) {
        return Optional.ofNullable(running.get(id))
                .orElseThrow(() -> new IllegalStateException(id + " does not run"))
                .address();
    }

    @Override
    public Map<String, String> metricsUrls() {
        Map<String, String> urls = new LinkedHashMap<>();
        running.forEach((id, server) -> server.metricsUrl().ifPresent(url -> urls.put(id.toString(), url)));
        return urls;
    }

    /** The running servers, metadata servers first. */
    public List<ServerId> servers() {
        return List.copyOf(running.keySet());
    }

    public Path directory() {
        return folder.path();
    }

    /** The address of ZooKeeper for servers, {@code host:port,...}. */
    public String zooKeeper() {
        return zooKeeper;
    }

    @Override
    public LocalPorts ports() {
        return folder.ports();
    }

    @Override
    public Map<String, ?> description() {
        Map<String, Object> servers = new LinkedHashMap<>();
        running.forEach(
                (id, server) -> servers.put(id.toString(), server.address().toString()));
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("uri", uri().toString());
        ready.put("directory", directory().toString());
        ready.put("zookeeper", zooKeeper);
        ready.put("servers", servers);
        ready.put("metrics", metricsUrls());
        ready.put("pid", ProcessHandle.current().pid());
        return ready;
    }

    /**
     * Stops all servers in an orderly way: first the IO servers, then the metadata servers, then ZooKeeper. A second
     * call does nothing.
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        List<IOException> failures = new ArrayList<>();
        for (ServerId id : running.descendingKeySet().stream().toList()) {
            try {
                stopServer(id);
            } catch (IOException e) {
                failures.add(e);
            }
        }
        loops.close();
        folder.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
