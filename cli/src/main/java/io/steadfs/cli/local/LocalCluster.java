package io.steadfs.cli.local;

import io.steadfs.cli.process.Listening;
import io.steadfs.cli.process.RunningServer;
import io.steadfs.config.Settings;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.DataDirectory;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.secret.SecretFile;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A whole cluster in this process, on the loopback address: ZooKeeper, metadata servers, IO servers. All state is in one
 * directory and survives a restart:
 *
 * <pre>
 * DIR/lock          held while the cluster runs
 * DIR/cluster.secret  the secret by which the servers know each other
 * DIR/ports         the last ports of the servers
 * DIR/zookeeper/    ZooKeeper's own files
 * DIR/mds-1/ ...    data directories of the metadata servers
 * DIR/io-1/ ...     data directories of the IO servers
 * </pre>
 *
 * Not thread-safe.
 */
public final class LocalCluster implements ServingCluster {
    private static final String ZOOKEEPER = "zookeeper";

    private final DataDirectory directory;
    private final LocalPorts ports;
    private final Optional<EmbeddedZooKeeper> embedded;
    private final String zooKeeper;
    private final Settings settings;
    private final MetricsPorts metrics;
    private final EventLoops loops;
    private final TreeMap<ServerId, RunningServer> running = new TreeMap<>();
    private boolean closed;

    private LocalCluster(
            DataDirectory directory,
            LocalPorts ports,
            Optional<EmbeddedZooKeeper> embedded,
            Settings settings,
            MetricsPorts metrics,
            EventLoops loops) {
        this.directory = directory;
        this.ports = ports;
        this.embedded = embedded;
        this.zooKeeper = settings.get(ZooKeeperTree.CONNECT);
        this.settings = settings;
        this.metrics = metrics;
        this.loops = loops;
    }

    /** What to start. */
    public static final class Builder {
        private final Path directory;
        private final Map<String, String> values = new HashMap<>();
        private int metadataServers;
        private int shards;
        private int ioServers = 4;
        private PortChoice ports = PortChoice.ANY;
        private String zooKeeper = "";
        private Allowed allowed = Allowed.NOTHING;

        private Builder(Path directory) {
            this.directory = directory;
        }

        /** By default the number in an existing file system, and 1 for a new one. */
        public Builder mds(int count) {
            this.metadataServers = count;
            return this;
        }

        /** By default the number in an existing file system, and one for each metadata server of a new one. */
        public Builder shards(int count) {
            this.shards = count;
            return this;
        }

        /** By default 4; 1 to 0x7fff. */
        public Builder ioServers(int count) {
            this.ioServers = count;
            return this;
        }

        /** By default the ports of earlier starts if they are free, else any. */
        public Builder ports(PortChoice choice) {
            this.ports = choice;
            return this;
        }

        /** Uses this ZooKeeper, {@code host:port,...}, and starts none. */
        public Builder zooKeeper(String connect) {
            this.zooKeeper = connect;
            return this;
        }

        /** Whether servers accept older states of their stores, in this start. */
        public Builder acceptLoss(boolean accepted) {
            this.allowed = new Allowed(false, accepted);
            return this;
        }

        /** Sets a configuration key of any of the servers. */
        public Builder set(String key, String value) {
            values.put(key, value);
            return this;
        }

        /**
         * Starts everything, and formats a new directory; serves on return.
         *
         * @throws IOException naming the obstacle, for example a file system with other numbers of servers or shards; then nothing runs
         */
        public LocalCluster start() throws IOException {
            if (ioServers < 1) {
                throw new IllegalArgumentException("a cluster of " + ioServers + " IO servers");
            }
            Numbers numbers = new Numbers(metadataServers, shards, ioServers);
            return LocalCluster.start(directory, numbers, ports, zooKeeper, values, allowed);
        }
    }

    public static Builder in(Path directory) {
        return new Builder(directory);
    }

    private static LocalCluster start(
            Path place, Numbers numbers, PortChoice choice, String outside, Map<String, String> values, Allowed allowed)
            throws IOException {
        DataDirectory directory = DataDirectory.open(place);
        LocalPorts ports;
        Optional<EmbeddedZooKeeper> embedded;
        try {
            ports = new LocalPorts(directory.path().resolve("ports"));
            embedded = outside.isEmpty()
                    ? Optional.of(EmbeddedZooKeeper.start(
                            directory.path().resolve(ZOOKEEPER), ports.choose(ZOOKEEPER, choice.zooKeeper(), choice)))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
        LocalCluster cluster;
        List<ServerId> servers;
        try {
            if (embedded.isPresent()) {
                ports.remember(ZOOKEEPER, embedded.get().port());
            }
            Map<String, String> all = numbers.formatting(values);
            all.putIfAbsent(SecretFile.FILE.name(), secretIn(directory.path()));
            all.put(
                    ZooKeeperTree.CONNECT.name(),
                    embedded.map(EmbeddedZooKeeper::connectString).orElse(outside));
            Settings settings = Settings.of(all);
            servers = numbers.servers(NewFileSystem.formatIfNone(settings));
            cluster = new LocalCluster(
                    directory,
                    ports,
                    embedded,
                    settings,
                    new MetricsPorts(servers, ports, choice),
                    EventLoops.open("stead-server", settings));
        } catch (IOException | RuntimeException e) {
            embedded.ifPresent(EmbeddedZooKeeper::close);
            directory.close();
            throw e;
        }
        try {
            for (ServerId id : servers) {
                cluster.startServer(id, choice, allowed);
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** The default place of the secret of a local cluster's servers. */
    static String secretIn(Path directory) {
        return directory.resolve("cluster.secret").toString();
    }

    /** Starts a server that was stopped, at its last port if that is free. */
    public void startServer(ServerId id) throws IOException {
        startServer(id, Allowed.NOTHING);
    }

    /** Does the same as {@link #startServer(ServerId)}. */
    public void startServer(ServerId id, Allowed allowed) throws IOException {
        startServer(id, PortChoice.ANY, allowed);
    }

    private void startServer(ServerId id, PortChoice choice, Allowed allowed) throws IOException {
        if (running.containsKey(id)) {
            throw new IllegalStateException(id + " runs already");
        }
        Listening listening = Listening.loopback(ports.of(id, choice));
        RunningServer server = RunningServer.start(
                id,
                directory.path().resolve(id.toString()),
                listening,
                allowed,
                loops,
                settings.with(metrics.of(id, settings)));
        running.put(id, server);
        ports.remember(id.toString(), server.address().port());
        metrics.remember(id, settings, server.metricsUrl());
    }

    /** Stops one server in order; the others keep running. */
    public void stopServer(ServerId id) throws IOException {
        RunningServer server = running.remove(id);
        if (server == null) {
            throw new IllegalStateException(id + " does not run");
        }
        server.close();
    }

    /** The address of the first metadata server that runs. It changes if that server was restarted while its port was taken. */
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

    @Override
    public URI uri() {
        return URI.create("stead://" + address());
    }

    /** Servers that run, metadata servers first. */
    public List<ServerId> servers() {
        return List.copyOf(running.keySet());
    }

    public Path directory() {
        return directory.path();
    }

    /** The address for servers to connect to, {@code host:port,...}. */
    public String zooKeeper() {
        return zooKeeper;
    }

    @Override
    public LocalPorts ports() {
        return ports;
    }

    @Override
    public Map<String, ?> description() {
        Map<String, Object> servers = new LinkedHashMap<>();
        running.forEach(
                (id, server) -> servers.put(id.toString(), server.address().toString()));
        Map<String, Object> ready = new LinkedHashMap<>();
        ready.put("uri", uri().toString());
        ready.put("directory", directory.path().toString());
        ready.put("zookeeper", zooKeeper);
        ready.put("servers", servers);
        ready.put("metrics", metricsUrls());
        ready.put("pid", ProcessHandle.current().pid());
        return ready;
    }

    /** Stops everything in order: IO servers, metadata servers, ZooKeeper. Closing twice is harmless. */
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
        embedded.ifPresent(EmbeddedZooKeeper::close);
        directory.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
