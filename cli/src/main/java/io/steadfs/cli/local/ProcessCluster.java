package io.steadfs.cli.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.config.ConfigKeys;
import io.steadfs.membership.EnsembleMember;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a whole cluster on this machine. Each server has a process of its own, and the servers end when this process
 * ends. ZooKeeper runs in this process, in processes of its own, or outside the cluster. One
 * {@linkplain ClusterFolder directory} contains all state, so the state survives a restart. The directory also contains
 * these files:
 *
 * <pre>
 * DIR/servers.json      the servers now: role, id, pid, address, directory, log, command
 * DIR/log/mds-1.log     the log of each server
 * DIR/zookeeper-1/ ...  data directories of ZooKeeper servers
 * </pre>
 * Thread-safe. If a server ends by itself or another program kills the server, this class does not restart the server.
 */
public final class ProcessCluster implements ServingCluster {
    private static final String ZOOKEEPER = "zookeeper";

    private final ClusterFolder folder;
    private final Consumer<String> events;
    private final Map<String, ServerChild> children = new LinkedHashMap<>();
    private Optional<PlannedServers> planned = Optional.empty();
    private String zooKeeper = "";
    private boolean closed;

    private ProcessCluster(ClusterFolder folder, Consumer<String> events) {
        this.folder = folder;
        this.events = events;
    }

    /**
     * Collects the settings of the cluster to start. If {@code acceptLoss} is set, a server accepts an older state of
     * its store at every start.
     */
    public static final class Builder extends ClusterBuilder<Builder> {
        private int zooKeepers;
        private Consumer<String> events = event -> {};

        private Builder(Path directory) {
            super(directory);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets the number of ZooKeeper servers that run in processes of their own. The default is 0: one ZooKeeper runs
         * in this process.
         */
        public Builder zooKeepers(int count) {
            this.zooKeepers = count;
            return this;
        }

        /**
         * Sets a listener for server processes that end unexpectedly. The listener gets one line of text for each such
         * end. Any thread may call the listener.
         */
        public Builder events(Consumer<String> listener) {
            this.events = listener;
            return this;
        }

        /**
         * Starts all servers. If there is no file system, the method formats one first. The cluster serves requests
         * when the method returns.
         *
         * @throws IOException if the cluster cannot start; no server runs then. The message names the cause.
         */
        public ProcessCluster start() throws IOException {
            ClusterSpec spec = spec();
            ProcessCluster cluster = new ProcessCluster(ClusterFolder.open(spec.directory()), events);
            try {
                cluster.startAll(spec, zooKeepers);
                return cluster;
            } catch (IOException | RuntimeException e) {
                cluster.close();
                throw e;
            }
        }
    }

    public static Builder in(Path directory) {
        return new Builder(directory);
    }

    private synchronized void startAll(ClusterSpec spec, int zooKeepers) throws IOException {
        zooKeeper = spec.zooKeeper().isEmpty() ? startZooKeeper(spec, zooKeepers) : spec.zooKeeper();
        PlannedServers servers = PlannedServers.of(spec, folder, zooKeeper);
        planned = Optional.of(servers);
        for (ServerId id : servers.ids()) {
            Map<String, String> values = new HashMap<>(servers.values());
            values.putAll(servers.own(id));
            boolean mds = id.role() == ClusterMap.Role.MDS;
            List<String> options = new ArrayList<>(settings(values, mds ? ServerKeys.MDS : ServerKeys.IO));
            if (spec.acceptLoss()) {
                options.add("--accept-loss");
            }
            add(
                    new ServerChild.Name(mds ? "mds" : "ioserver", id.number(), id.toString()),
                    ports().of(id, spec.ports()),
                    options);
        }
        startTogether(servers.ids().stream().map(ServerId::toString).toList());
    }

    private String startZooKeeper(ClusterSpec spec, int servers) throws IOException {
        if (servers == 0) {
            return folder.startZooKeeper(spec.ports());
        }
        List<String> names = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (int id = 1; id <= servers; id++) {
            String name = ZOOKEEPER + "-" + id;
            names.add(name);
            members.add(LocalPorts.HOST + ":" + portOf(name + "-follow") + ":" + portOf(name + "-elect"));
        }
        Map<String, String> values = new HashMap<>(spec.values());
        if (members.size() > 1) {
            values.put(EnsembleMember.ENSEMBLE.name(), String.join(",", members));
        }
        for (int id = 1; id <= servers; id++) {
            String name = ZOOKEEPER + "-" + id;
            add(new ServerChild.Name(ZOOKEEPER, id, name), portOf(name), settings(values, ServerKeys.ZOOKEEPER));
        }
        startTogether(names);
        return names.stream()
                .map(name -> child(name).address().orElseThrow().toString())
                .collect(Collectors.joining(","));
    }

    /**
     * Returns the server's earlier port. If there is no earlier port, or the earlier port is in use, the method returns
     * a free port. Later starts then use the same port.
     */
    private int portOf(String name) throws IOException {
        int port = ports().chooseLasting(name, 0, PortChoice.ANY);
        ports().remember(name, port);
        return port;
    }

    /** Command-line options for the settings that this kind of server understands. */
    private static List<String> settings(Map<String, String> values, ConfigKeys keys) {
        List<String> options = new ArrayList<>();
        keys.list().forEach(key -> {
            String value = values.get(key.name());
            if (value != null) {
                options.add("--set");
                options.add(key.name() + "=" + value);
            }
        });
        return options;
    }

    private void add(ServerChild.Name name, int port, List<String> options) {
        Path home = directory();
        children.put(
                name.text(),
                new ServerChild(
                        name,
                        home.resolve(name.text()),
                        home.resolve("log").resolve(name.text() + ".log"),
                        port,
                        options));
    }

    private void startTogether(List<String> names) throws IOException {
        for (String name : names) {
            child(name).begin();
        }
        for (String name : names) {
            ServerChild child = child(name);
            ports().remember(name, child.awaitReady().port());
            if (planned.isPresent() && !child.name().isZooKeeper()) {
                planned.get().rememberMetrics(ServerId.parse(name), child.metricsUrl());
            }
        }
        for (String name : names) {
            watch(child(name));
        }
        writeServers();
    }

    private void watch(ServerChild child) {
        Optional<Long> pid = child.pid();
        var unused = child.ended().thenAcceptAsync(code -> {
            synchronized (this) {
                if (!closed && !child.isRunning()) {
                    events.accept(child.name().text() + " ended with status " + code + ", process " + pid.orElse(0L));
                    try {
                        writeServers();
                    } catch (IOException e) {
                        events.accept("cannot write " + serversFile() + ": " + e.getMessage());
                    }
                }
            }
        });
    }

    private ServerChild child(String name) {
        return Optional.ofNullable(children.get(name))
                .orElseThrow(() -> new IllegalArgumentException("there is no server " + name));
    }

    /**
     * Starts a server that was stopped or killed, at its last port. Examples of names are {@code mds-1} and
     * {@code zookeeper-2}.
     */
    public synchronized void startServer(String name) throws IOException {
        startTogether(List.of(name));
    }

    /**
     * Starts several servers at the same time. Members of a ZooKeeper ensemble must start together, because they need
     * each other to serve.
     */
    public synchronized void startServers(List<String> names) throws IOException {
        startTogether(names);
    }

    public void startServer(ServerId id) throws IOException {
        startServer(id.toString());
    }

    /** Stops one server in an orderly way, with SIGTERM. The other servers keep running. */
    public synchronized void stopServer(String name) throws IOException {
        child(name).stop();
        writeServers();
    }

    public void stopServer(ServerId id) throws IOException {
        stopServer(id.toString());
    }

    /** Kills one server with SIGKILL. The other servers keep running. */
    public synchronized void killServer(String name) throws IOException {
        child(name).kill();
        writeServers();
    }

    public void killServer(ServerId id) throws IOException {
        killServer(id.toString());
    }

    public synchronized boolean isRunning(String name) {
        return child(name).isRunning();
    }

    /** The present or last address of the server. */
    public synchronized ServerAddress addressOf(String name) {
        return child(name).address().orElseThrow(() -> new IllegalStateException(name + " never served"));
    }

    public ServerAddress addressOf(ServerId id) {
        return addressOf(id.toString());
    }

    /** The id of the server's process; empty if the server does not run. */
    public synchronized Optional<Long> pidOf(String name) {
        return child(name).pid();
    }

    /**
     * The names of all servers, running or not. ZooKeeper servers come first, then metadata servers, then IO servers.
     */
    public synchronized List<String> servers() {
        return List.copyOf(children.keySet());
    }

    @Override
    public synchronized ServerAddress address() {
        return children.values().stream()
                .filter(child -> child.name().role().equals("mds") && child.isRunning())
                .flatMap(child -> child.address().stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no metadata server runs"));
    }

    @Override
    public synchronized Map<String, String> metricsUrls() {
        Map<String, String> urls = new LinkedHashMap<>();
        for (ServerChild child : children.values()) {
            if (child.isRunning()) {
                child.metricsUrl().ifPresent(url -> urls.put(child.name().text(), url));
            }
        }
        return urls;
    }

    @Override
    public LocalPorts ports() {
        return folder.ports();
    }

    /** The address of ZooKeeper for servers, {@code host:port,...}. */
    public synchronized String zooKeeper() {
        return zooKeeper;
    }

    public Path directory() {
        return folder.path();
    }

    /**
     * The file that contains the result of {@link #description}. The cluster replaces the file whenever a server starts
     * or ends.
     */
    public Path serversFile() {
        return directory().resolve("servers.json");
    }

    @Override
    public synchronized Map<String, ?> description() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("directory", directory().toString());
        all.put("pid", ProcessHandle.current().pid());
        all.put("zookeeper", zooKeeper);
        List<Map<String, ?>> servers = new ArrayList<>();
        for (ServerChild child : children.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", child.name().text());
            one.put("role", child.name().role());
            one.put("id", child.name().id());
            one.put("state", child.isRunning() ? "runs" : "down");
            one.put("pid", child.pid().orElse(0L));
            one.put("host", child.address().map(ServerAddress::host).orElse(""));
            one.put("port", child.address().map(ServerAddress::port).orElse(0));
            one.put("metrics", child.metricsUrl().orElse(""));
            one.put("directory", child.directory().toString());
            one.put("log", child.log().toString());
            one.put("command", child.command());
            servers.add(one);
        }
        all.put("servers", servers);
        return all;
    }

    /** Replaces the file atomically, so the file always has either the whole old text or the whole new text. */
    private void writeServers() throws IOException {
        Path fresh = directory().resolve("servers.json.new");
        Files.writeString(
                fresh, new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(description()) + "\n");
        Files.move(fresh, serversFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Stops all servers in an orderly way: first the IO servers, then the metadata servers, then ZooKeeper. A second
     * call does nothing.
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        List<ServerChild> reversed = new ArrayList<>(children.values());
        java.util.Collections.reverse(reversed);
        List<IOException> failures = new ArrayList<>();
        for (ServerChild child : reversed) {
            try {
                child.stop();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        try {
            writeServers();
        } catch (IOException e) {
            failures.add(e);
        }
        folder.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
