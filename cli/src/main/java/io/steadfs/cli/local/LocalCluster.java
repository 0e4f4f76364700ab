package io.steadfs.cli.local;

import io.steadfs.cli.process.Listening;
import io.steadfs.cli.process.RunningServer;
import io.steadfs.config.Settings;
import io.steadfs.membership.DataDirectory;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A whole cluster in this process, on the loopback address: ZooKeeper, one metadata server, IO servers. All state is in
 * one directory and survives a restart:
 *
 * <pre>
 * DIR/lock          held while the cluster runs
 * DIR/ports         where the servers listened last
 * DIR/zookeeper/    ZooKeeper's own files
 * DIR/mds-1/        data directory of the metadata server
 * DIR/io-1/ ...     data directories of the IO servers
 * </pre>
 *
 * Not thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
    private static final String ZOOKEEPER = "zookeeper";

    private final DataDirectory directory;
    private final LocalPorts ports;
    private final EmbeddedZooKeeper zooKeeper;
    private final Settings settings;
    private final EventLoops loops;
    private final TreeMap<ServerId, RunningServer> running = new TreeMap<>();
    private boolean closed;

    private LocalCluster(
            DataDirectory directory,
            LocalPorts ports,
            EmbeddedZooKeeper zooKeeper,
            Settings settings,
            EventLoops loops) {
        this.directory = directory;
        this.ports = ports;
        this.zooKeeper = zooKeeper;
        this.settings = settings;
        this.loops = loops;
    }

    /** What to start. */
    public static final class Builder {
        private final Path directory;
        private final Map<String, String> values = new HashMap<>();
        private int ioServers = 4;
        private int port;

        private Builder(Path directory) {
            this.directory = directory;
        }

        /** 4 unless said; 1 to 0x7fff. */
        public Builder ioServers(int count) {
            this.ioServers = count;
            return this;
        }

        /** Port of the metadata server; 0, unless said: the last one, or any. */
        public Builder port(int number) {
            this.port = number;
            return this;
        }

        /** A configuration key of any of the servers. */
        public Builder set(String key, String value) {
            values.put(key, value);
            return this;
        }

        /**
         * Starts everything, formatting a new directory; serves on return.
         *
         * @throws IOException naming what is in the way; nothing runs then
         */
        public LocalCluster start() throws IOException {
            if (ioServers < 1) {
                throw new IllegalArgumentException("a cluster of " + ioServers + " IO servers");
            }
            return LocalCluster.start(directory, ioServers, port, values);
        }
    }

    public static Builder in(Path directory) {
        return new Builder(directory);
    }

    private static LocalCluster start(Path place, int ioServers, int port, Map<String, String> values)
            throws IOException {
        DataDirectory directory = DataDirectory.open(place);
        LocalPorts ports;
        EmbeddedZooKeeper zooKeeper;
        try {
            ports = new LocalPorts(directory.path().resolve("ports"));
            zooKeeper = EmbeddedZooKeeper.start(directory.path().resolve(ZOOKEEPER), ports.preferred(ZOOKEEPER));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
        LocalCluster cluster;
        try {
            ports.remember(ZOOKEEPER, zooKeeper.port());
            Map<String, String> all = new HashMap<>(values);
            all.put(ZooKeeperTree.CONNECT.name(), zooKeeper.connectString());
            Settings settings = Settings.of(all);
            formatIfNew(settings);
            cluster =
                    new LocalCluster(directory, ports, zooKeeper, settings, EventLoops.open("stead-server", settings));
        } catch (IOException | RuntimeException e) {
            zooKeeper.close();
            directory.close();
            throw e;
        }
        try {
            cluster.startServer(ServerId.mds(1), port);
            for (int number = 1; number <= ioServers; number++) {
                cluster.startServer(ServerId.io(number));
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static void formatIfNew(Settings settings) throws MembershipException {
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            if (!FileSystemFormat.isIn(tree)) {
                FileSystemFormat.fresh(settings, System.getProperty("user.name"), System.currentTimeMillis())
                        .write(tree, false);
            }
        }
    }

    /** Starts a server that was stopped, where it listened before if that port is free. */
    public void startServer(ServerId id) throws IOException {
        startServer(id, 0);
    }

    private void startServer(ServerId id, int port) throws IOException {
        if (running.containsKey(id)) {
            throw new IllegalStateException(id + " runs already");
        }
        Listening listening = Listening.loopback(port != 0 ? port : ports.preferred(id.toString()));
        RunningServer server =
                RunningServer.start(id, directory.path().resolve(id.toString()), listening, false, loops, settings);
        running.put(id, server);
        ports.remember(id.toString(), server.address().port());
    }

    /** Stops one server in order; the others go on. */
    public void stopServer(ServerId id) throws IOException {
        RunningServer server = running.remove(id);
        if (server == null) {
            throw new IllegalStateException(id + " does not run");
        }
        server.close();
    }

    /** Of the metadata server; changes if it was started anew and its port was taken meanwhile. */
    public ServerAddress address() {
        return addressOf(ServerId.mds(1));
    }

    public ServerAddress addressOf(ServerId id) {
        return Optional.ofNullable(running.get(id))
                .orElseThrow(() -> new IllegalStateException(id + " does not run"))
                .address();
    }

    /** {@code stead://host:port}. */
    public URI uri() {
        return URI.create("stead://" + address());
    }

    /** Servers that run, metadata server first. */
    public List<ServerId> servers() {
        return List.copyOf(running.keySet());
    }

    public Path directory() {
        return directory.path();
    }

    public int zooKeeperPort() {
        return zooKeeper.port();
    }

    /** Stops everything in order: IO servers, metadata server, ZooKeeper. Closing twice is harmless. */
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
        zooKeeper.close();
        directory.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
