package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.Main;
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
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A whole cluster in this process, in one directory, that can be stopped and started again. */
public final class Cluster implements AutoCloseable {
    /** Who formatted it. */
    public static final String SUPERUSER = System.getProperty("user.name");

    private static final int SHARDS = 3;

    private static final List<String> UNFINISHED = List.of("intents.", "outbox.", "deletion.");

    private final LocalCluster.Builder builder;
    private final Settings settings;
    private LocalCluster running;
    private ServerAddress address;

    private Cluster(LocalCluster.Builder builder, Settings settings) throws IOException {
        this.builder = builder;
        this.settings = settings;
        this.running = builder.start();
        this.address = running.address();
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
        running.close();
    }

    /** Starts it again where it was, at the same address. */
    public void startAgain() throws IOException {
        running = builder.start();
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

    /**
     * Checks the file system, while clients may be at work, and requires that nothing is found.
     *
     * @param more options of {@code stead fsck}
     */
    public void requireSound(String... more) {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        List<String> arguments = new ArrayList<>(List.of("fsck", "--uri", "stead://" + address, "--json"));
        arguments.addAll(List.of(more));
        int status = Main.commandLine().setOut(out).setErr(out).execute(arguments.toArray(String[]::new));
        assertThat(status).as("fsck: %s", printed).isZero();
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
        stop();
    }
}
