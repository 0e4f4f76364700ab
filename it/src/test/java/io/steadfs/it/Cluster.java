package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.FreePorts;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.cli.local.PortChoice;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole cluster in this process, in one directory, that can be stopped and started again. When it is closed while it
 * runs, a check must find nothing, unless the test has said otherwise.
 */
public final class Cluster implements AutoCloseable {
    /** Who formatted it. */
    public static final String SUPERUSER = System.getProperty("user.name");

    /** Has directories split when they have more than a few names. {@code -Dstead.split.entries=8000} has none split. */
    public static final Map<String, String> SPLITTING = Map.of(
            "stead.partition.split.entries",
            System.getProperty("stead.split.entries", "4"),
            "stead.partition.merge.quiet",
            "0");

    private static final int SHARDS = 3;

    private static final List<String> UNFINISHED = List.of("intents.", "outbox.", "deletion.");

    private final LocalCluster.Builder builder;
    private final Settings settings;
    private LocalCluster running;
    private ServerAddress address;
    private boolean isRunning = true;
    private boolean isChecked = true;

    private Cluster(LocalCluster.Builder builder, Settings settings) throws IOException {
        this.builder = builder;
        this.settings = settings;
        this.running = builder.start();
        this.address = running.address();
    }

    /** {@link #SPLITTING}, with these settings. */
    public static Map<String, String> splitting(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(SPLITTING);
        settings.putAll(more);
        return settings;
    }

    /**
     * Starts one with three metadata servers of one shard each.
     *
     * @param settings of the servers, and of the clients made by {@link #connect}
     */
    public static Cluster start(Path directory, int ioServers, Map<String, String> settings) throws IOException {
        return start(directory, SHARDS, SHARDS, ioServers, settings);
    }

    /** @param settings of the servers, and of the clients made by {@link #connect} */
    public static Cluster start(
            Path directory, int metadataServers, int shards, int ioServers, Map<String, String> settings)
            throws IOException {
        // One that nobody else is given while it is stopped.
        int port = FreePorts.ofLoopback().next();
        LocalCluster.Builder builder = LocalCluster.in(directory)
                .mds(metadataServers)
                .shards(shards)
                .ioServers(ioServers)
                .ports(PortChoice.firstAt(port));
        settings.forEach(builder::set);
        return new Cluster(builder, Settings.of(settings));
    }

    public void stop() throws IOException {
        isRunning = false;
        running.close();
    }

    /**
     * Leaves it unchecked when it is closed.
     *
     * @param why what a check would find, or why there can be none
     */
    public Cluster unchecked(String why) {
        System.out.println("not checked: " + why);
        isChecked = false;
        return this;
    }

    /** Starts it again where it was, at the same address. */
    public void startAgain() throws IOException {
        running = builder.start();
        isRunning = true;
    }

    /** Servers by a name for people, and where they listen. */
    public Map<String, ServerAddress> ports() {
        Map<String, ServerAddress> ports = new LinkedHashMap<>();
        for (ServerId id : running.servers()) {
            ports.put(id.toString(), running.addressOf(id));
        }
        return ports;
    }

    /** Where the server of this name listens. */
    public ServerAddress port(String name) {
        return running.addressOf(ServerId.parse(name));
    }

    /** Gauges of all servers that are not 0 and whose names begin so, by server and name. */
    public Map<String, Long> gauges(List<String> prefixes) throws FsException {
        return gauges(address, ports(), prefixes);
    }

    /**
     * The same of any servers.
     *
     * @param address of one of the metadata servers
     * @param ports of all servers, by name
     */
    public static Map<String, Long> gauges(
            ServerAddress address, Map<String, ServerAddress> ports, List<String> prefixes) throws FsException {
        Map<String, Long> found = new TreeMap<>();
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(address))) {
            for (Map.Entry<String, ServerAddress> port : ports.entrySet()) {
                StatusReply status = StatusOf.server(connection.transport(), port.getKey(), port.getValue());
                status.getGaugesMap().forEach((name, value) -> {
                    if (value != 0 && prefixes.stream().anyMatch(name::startsWith)) {
                        found.put(port.getKey() + " " + name, value);
                    }
                });
            }
        }
        return found;
    }

    /** Returns when nothing is to be finished behind the operations that are over. */
    public void settle() {
        await("what goes on behind")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(gauges(UNFINISHED)).isEmpty());
    }

    public LocalCluster local() {
        return running;
    }

    /** A client with a session of its own. */
    public SteadFs connect(String user, List<String> groups) {
        return connect(user, groups, Map.of());
    }

    /** @param more settings of the client alone */
    public SteadClient connect(String user, List<String> groups, Map<String, String> more) {
        return SteadClient.connect(
                settings.with(more),
                List.of(address),
                Caller.newBuilder().setUser(user).addAllGroups(groups).build());
    }

    @Override
    public void close() throws IOException {
        try {
            if (isRunning && isChecked) {
                Fsck.findsNothing(this);
            }
        } finally {
            stop();
        }
    }
}
