package io.steadfs.membership;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Runs one member of a ZooKeeper ensemble inside this process. An ensemble of n members serves while more than n / 2
 * members run. The member runs ZooKeeper's own code without changes.
 *
 * <pre>
 * DIR/zoo.cfg      ZooKeeper's configuration, written anew at each start
 * DIR/myid         the number of this member
 * DIR/version-2/   ZooKeeper's own files
 * </pre>
 */
public final class EnsembleMember implements AutoCloseable {
    public static final ConfigKey<String> BIND_HOST = ConfigKey.text(
            "stead.zk.bind.host", "127.0.0.1", "Address on which a ZooKeeper server listens to clients.");

    public static final ConfigKey<Long> PORT = ConfigKey.number(
            "stead.zk.port", 2181, 0, 65535, "", "Port on which it listens to clients; 0 takes any free one.");

    public static final ConfigKey<String> ENSEMBLE = ConfigKey.text(
            "stead.zk.ensemble",
            "",
            "ZooKeeper servers that belong together, as host:port:port, separated by commas, in the order of their ids from"
                    + " 1; the ports are for following the leader and for electing one. Empty = one server alone.");

    public static final ConfigKey<Long> TICK = ConfigKey.number(
            "stead.zk.tick",
            500,
            50,
            60_000,
            "milliseconds",
            "Unit of ZooKeeper's time limits: a session lasts at least 2 of it, a member of an ensemble may be 20 behind.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(BIND_HOST, PORT, ENSEMBLE, TICK));

    private static final String MEMBER = "[A-Za-z0-9._-]+:[0-9]{1,5}:[0-9]{1,5}";
    private static final int MAX_SESSION_MILLIS = 300_000;
    private static final int CONNECTIONS = 1024;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_HOURS = 1;

    private final QuorumPeerMain main;
    private final DatadirCleanupManager cleanup;

    private EnsembleMember(QuorumPeerMain main, DatadirCleanupManager cleanup) {
        this.main = main;
        this.cleanup = cleanup;
    }

    /**
     * Starts the member. When the method returns, the member listens. The member serves as soon as more than half of
     * all members run.
     *
     * @param id the place of this member in {@link #ENSEMBLE}, from 1
     * @param port the port on which to listen to clients; not 0
     * @throws MembershipException if a setting, the directory or an address cannot be used; the message names it
     */
    public static EnsembleMember start(Path directory, int id, int port, Settings settings) throws MembershipException {
        List<String> members = List.of(settings.get(ENSEMBLE).split(",", -1));
        for (String member : members) {
            if (!member.trim().matches(MEMBER)) {
                throw new MembershipException(ENSEMBLE.name() + ": '" + member + "' is not host:port:port");
            }
        }
        if (id < 1 || id > members.size()) {
            throw new MembershipException(
                    "there is no member " + id + " in " + ENSEMBLE.name() + " = " + String.join(",", members));
        }
        // ZooKeeper's web page for administrators is off. The page would need another library and another port.
        System.setProperty("zookeeper.admin.enableServer", "false");
        QuorumPeerConfig config = new QuorumPeerConfig();
        try {
            ZooKeeperFiles.make(directory);
            Files.writeString(directory.resolve("myid"), id + "\n");
            Path file = directory.resolve("zoo.cfg");
            Files.writeString(file, text(directory, members, port, settings));
            config.parse(file.toString());
        } catch (IOException | QuorumPeerConfig.ConfigException e) {
            throw new MembershipException("ZooKeeper cannot use directory " + directory + ": " + e.getMessage(), e);
        }
        Main main = new Main();
        Thread thread = new Thread(() -> main.run(config), "zookeeper-" + id);
        thread.setDaemon(true);
        thread.start();
        main.awaitStart("ZooKeeper member " + id + " at " + settings.get(BIND_HOST) + ":" + port + " of "
                + String.join(",", members));
        DatadirCleanupManager cleanup =
                new DatadirCleanupManager(config.getDataDir(), config.getDataLogDir(), SNAPSHOTS_KEPT, PURGE_HOURS);
        cleanup.start();
        return new EnsembleMember(main, cleanup);
    }

    private static String text(Path directory, List<String> members, int port, Settings settings) {
        StringBuilder text = new StringBuilder();
        text.append("dataDir=").append(directory.toAbsolutePath()).append('\n');
        text.append("clientPortAddress=").append(settings.get(BIND_HOST)).append('\n');
        text.append("clientPort=").append(port).append('\n');
        text.append("tickTime=").append(settings.get(TICK)).append('\n');
        text.append("initLimit=20\nsyncLimit=20\n");
        text.append("maxSessionTimeout=").append(MAX_SESSION_MILLIS).append('\n');
        text.append("maxClientCnxns=").append(CONNECTIONS).append('\n');
        for (int i = 0; i < members.size(); i++) {
            text.append("server.")
                    .append(i + 1)
                    .append('=')
                    .append(members.get(i).trim())
                    .append('\n');
        }
        return text.toString();
    }

    /** ZooKeeper's own main class, extended to report when its server has started. */
    private static final class Main extends QuorumPeerMain {
        private final CompletableFuture<Boolean> started = new CompletableFuture<>();

        @Override
        protected QuorumPeer getQuorumPeer() throws SaslException {
            return new QuorumPeer() {
                @Override
                public synchronized void start() {
                    super.start();
                    started.complete(true);
                }
            };
        }

        /** Runs the member. Returns after the member is closed. */
        void run(QuorumPeerConfig config) {
            try {
                runFromConfig(config);
                started.complete(false);
            } catch (Exception e) {
                started.completeExceptionally(e);
            }
        }

        void awaitStart(String name) throws MembershipException {
            try {
                if (!started.get()) {
                    throw new MembershipException(name + " ended while it started");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MembershipException("interrupted while " + name + " started", e);
            } catch (ExecutionException e) {
                throw new MembershipException(name + " cannot start: " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        cleanup.shutdown();
        main.close();
    }
}
