package io.steadfs.lab.torture;

import io.steadfs.cli.local.FreePorts;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.report.Progress;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * ZooKeeper and all servers, each in a Java process of its own behind the proxy.
 *
 * <p>A thread looks after the processes like a service manager of the operating system. If a process ends, the thread
 * starts the process again with its port and its directory. While a fault keeps a process down, the thread does not
 * start that process.
 */
final class Servers implements AutoCloseable {
    static final String ZOOKEEPER = "zookeeper";

    private static final int MDS_DISK_MEGABYTES = 192;
    private static final int IO_DISK_MEGABYTES = 640;
    private static final int READY_SECONDS = 90;
    private static final int LOOK_MILLIS = 250;
    private static final int STOP_MILLIS = 20_000;
    private static final int LOG_LINES = 3;

    private final TorturePlan plan;
    private final Progress progress;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Map<String, ServerDisk> disks = new TreeMap<>();
    private final Collection<Map<String, Object>> ends = new ConcurrentLinkedQueue<>();
    private Optional<String> noDisks = Optional.empty();
    private volatile boolean closed;

    /** One of the servers, or ZooKeeper. The lock of this object guards its fields. */
    private static final class Server {
        final String name;
        final int port;
        final List<String> arguments;
        Optional<Child> child = Optional.empty();
        boolean wanted = true;
        boolean wasReady;

        Server(String name, int port, List<String> arguments) {
            this.name = name;
            this.port = port;
            this.arguments = arguments;
        }
    }

    Servers(TorturePlan plan, Progress progress) throws IOException {
        this.plan = plan;
        this.progress = progress;
        FreePorts ports = new FreePorts(List.of(Proxy.REAL_HOST, Proxy.SHOWN_HOST));
        Files.createDirectories(plan.directory().resolve("logs"));
        int zooKeeper = ports.next();
        add(new Server(
                ZOOKEEPER,
                zooKeeper,
                List.of(
                        "zookeeper",
                        "--dir",
                        directory(ZOOKEEPER).toString(),
                        "--port",
                        Integer.toString(zooKeeper),
                        "--end-with-input")));
        for (int i = 1; i <= plan.mds(); i++) {
            add(server("mds", "mds", i, ports.next()));
        }
        for (int i = 1; i <= plan.io(); i++) {
            add(server("io", "ioserver", i, ports.next()));
        }
    }

    private void add(Server server) {
        servers.put(server.name, server);
    }

    private Path secret() {
        return plan.directory().resolve("cluster.secret");
    }

    private Path directory(String name) {
        return plan.directory().resolve(name);
    }

    private Server server(String role, String command, int id, int port) {
        String name = role + "-" + id;
        Map<String, String> keys = new TreeMap<>(settings());
        keys.put("stead.port", Integer.toString(port));
        keys.put("stead.metrics.port", "0");
        keys.put("stead.bind.host", Proxy.REAL_HOST);
        keys.put("stead.announced.host", Proxy.SHOWN_HOST);
        keys.put("stead.store.cache.bytes", "24m");
        keys.put("stead.store.memtable.bytes", "1m");
        keys.put("stead.rpc.stop.timeout", "3000");
        keys.put("stead.disk.reserve", "16m");
        if (role.equals("mds")) {
            keys.put("stead.session.duration", Integer.toString(TorturePlan.CLIENT_SESSION_MILLIS));
            keys.put("stead.mds.io.timeout", "5000");
        } else {
            keys.put("stead.io.open.bytes", "32m");
            // Largest number of datafiles that stay open. The number is small, so that the server reaches the limit
            // early. Growth beyond the limit then shows.
            keys.put("stead.io.files.open", "32");
            keys.put("stead.io.queue.bytes", "32m");
            keys.put("stead.io.space.interval", "1000");
            keys.put("stead.io.confirm.after", "5000");
            keys.put("stead.io.confirm.interval", "2000");
            keys.put("stead.io.lease.duration", Integer.toString(TorturePlan.LEASE_MILLIS));
        }
        ConfigKeys known = role.equals("mds") ? ServerKeys.MDS : ServerKeys.IO;
        known.list().forEach(key -> {
            String value = plan.settings().get(key.name());
            if (value != null) {
                keys.put(key.name(), value);
            }
        });
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--end-with-input",
                "--id",
                Integer.toString(id),
                "--dir",
                directory(name).resolve("data").toString()));
        keys.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return new Server(name, port, arguments);
    }

    private Map<String, String> settings() {
        Map<String, String> keys = new HashMap<>();
        keys.put("stead.zookeeper.servers", Proxy.SHOWN_HOST + ":" + port(ZOOKEEPER));
        keys.put("stead.zookeeper.session.timeout", Integer.toString(TorturePlan.ZOOKEEPER_SESSION_MILLIS));
        // ZooKeeper may be down when a server starts. ZooKeeper is back before this timeout ends.
        keys.put("stead.zookeeper.connect.timeout", "60000");
        keys.put(SecretFile.FILE.name(), secret().toString());
        return keys;
    }

    /** Starts everything on a new file system. When the method returns, every process serves. */
    void start(Proxy proxy) throws IOException, InterruptedException {
        for (Server server : servers.values()) {
            Files.createDirectories(directory(server.name));
            proxy.serve(server.name, server.port);
        }
        makeDisks();
        launch(server(ZOOKEEPER));
        child(ZOOKEEPER).orElseThrow().awaitReady(READY_SECONDS);
        Map<String, String> format = new HashMap<>(settings());
        format.put("stead.format.shards", Integer.toString(plan.shards()));
        format.put("stead.format.mds", Integer.toString(plan.mds()));
        format.put("stead.format.strip.size", "65536");
        Settings settings = Settings.of(format);
        SecretFile.makeIfMissing(secret());
        try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
            FileSystemFormat.fresh(settings, System.getProperty("user.name"), System.currentTimeMillis())
                    .write(tree, false);
        }
        for (Server server : servers.values()) {
            if (!server.name.equals(ZOOKEEPER)) {
                launch(server);
            }
        }
        for (String name : servers.keySet()) {
            try {
                child(name).orElseThrow().awaitReady(READY_SECONDS);
            } catch (IOException e) {
                throw new IOException(e.getMessage() + ": " + lastLines(name), e);
            }
        }
        Thread keeper = new Thread(this::keep, "keeper-of-servers");
        keeper.setDaemon(true);
        keeper.start();
    }

    private void makeDisks() throws InterruptedException {
        for (String name : names()) {
            if (name.equals(ZOOKEEPER)) {
                continue;
            }
            try {
                int megabytes = name.startsWith("mds") ? MDS_DISK_MEGABYTES : IO_DISK_MEGABYTES;
                disks.put(name, ServerDisk.make(directory(name), megabytes));
            } catch (IOException e) {
                noDisks = Optional.of(String.valueOf(e.getMessage()));
                return;
            }
        }
    }

    /** Returns why this machine does not allow filling a disk; empty = it does. */
    Optional<String> noDisks() {
        return noDisks;
    }

    Optional<ServerDisk> disk(String name) {
        return noDisks.isPresent() ? Optional.empty() : Optional.ofNullable(disks.get(name));
    }

    private void launch(Server server) throws IOException {
        List<String> prefix = disk(server.name).map(ServerDisk::prefix).orElse(List.of());
        List<String> java = List.of(
                "-Xms192m",
                "-Xmx192m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData");
        synchronized (server) {
            server.wasReady = false;
            server.child = Optional.of(Child.start(server.name, prefix, java, server.arguments, log(server.name)));
        }
    }

    private Path log(String name) {
        return plan.directory().resolve("logs").resolve(name + ".log");
    }

    private void keep() {
        try {
            while (!closed) {
                for (Server server : servers.values()) {
                    keep(server);
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            progress.say("cannot look after the servers any more: " + e);
        }
    }

    private void keep(Server server) throws IOException {
        synchronized (server) {
            Child child = server.child.orElseThrow();
            server.wasReady |= child.isReady();
            if (closed || !server.wanted || child.alive()) {
                return;
            }
            Map<String, Object> end = new LinkedHashMap<>();
            end.put("server", server.name);
            end.put("nanos", System.nanoTime());
            end.put("served", server.wasReady);
            end.put("exitCode", child.exitCode());
            end.put("said", lastLines(server.name));
            ends.add(end);
            progress.say(server.name + (server.wasReady ? " ended by itself" : " did not start") + " with exit code "
                    + child.exitCode() + "; starting it again");
            launch(server);
        }
    }

    private String lastLines(String name) throws IOException {
        try (Stream<String> lines = Files.lines(log(name))) {
            List<String> all = lines.filter(line -> !line.startsWith("\tat ")).toList();
            return String.join(" | ", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
        }
    }

    private Server server(String name) {
        return Optional.ofNullable(servers.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no server " + name));
    }

    /** Kills the process with SIGKILL. The process stays down until {@link #startAgain}. */
    void kill(String name) {
        Server server = server(name);
        synchronized (server) {
            server.wanted = false;
            server.child.orElseThrow().kill();
        }
    }

    void startAgain(String name) throws IOException {
        Server server = server(name);
        synchronized (server) {
            launch(server);
            server.wanted = true;
        }
    }

    /** Returns the names of the metadata servers, the IO servers and ZooKeeper. */
    List<String> names() {
        return List.copyOf(servers.keySet());
    }

    List<String> names(String role) {
        return names().stream().filter(name -> name.startsWith(role)).toList();
    }

    Optional<Child> child(String name) {
        Server server = server(name);
        synchronized (server) {
            return server.child;
        }
    }

    int port(String name) {
        return server(name).port;
    }

    /** Returns the addresses of all metadata servers as clients see them. */
    List<String> metadataServers() {
        return names("mds").stream()
                .map(name -> Proxy.SHOWN_HOST + ":" + port(name))
                .toList();
    }

    /** Returns the processes that ended although the harness did not end them. */
    List<Map<String, Object>> ends() {
        return List.copyOf(ends);
    }

    /** Returns the names of the processes by process id. */
    Map<Long, String> processes() {
        Map<Long, String> processes = new HashMap<>();
        for (String name : names()) {
            child(name).ifPresent(child -> processes.put(child.pid(), name));
        }
        return processes;
    }

    /** Copies the contents of the servers' own file systems into the directory of the run. */
    void keepData() throws IOException, InterruptedException {
        for (ServerDisk disk : disks.values()) {
            disk.keep();
        }
    }

    void stopAll() throws IOException, InterruptedException {
        closed = true;
        List<String> order = new ArrayList<>(names());
        java.util.Collections.reverse(order);
        for (String name : order) {
            Optional<Child> child = child(name);
            if (child.isPresent() && child.get().alive()) {
                child.get().terminate(STOP_MILLIS);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Server server : servers.values()) {
            Optional<Child> child = child(server.name);
            if (child.isPresent()) {
                child.get().kill();
            }
        }
        disks.values().forEach(ServerDisk::close);
    }
}
