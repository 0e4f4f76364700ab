package io.steadfs.it.power;

import io.steadfs.cli.Main;
import io.steadfs.cli.local.FreePorts;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import io.steadfs.server.OpenedParts;
import io.steadfs.wire.proto.ClusterMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Metadata and IO servers as processes, each with its data on a disk of its own; ZooKeeper is in this process. */
final class PoweredServers implements AutoCloseable {
    private static final long SECONDS = 120;
    private static final int LAST_BYTES = 3000;

    private final OpenedParts opened = new OpenedParts();
    private final Path directory;
    private final Home home;
    private final Disks disks;
    private final Map<String, String> settings;
    private final Map<ServerId, Integer> ports = new LinkedHashMap<>();
    private final FreePorts freePorts = FreePorts.ofLoopback();
    private final Map<ServerId, Life> running = new LinkedHashMap<>();

    /** Where the servers' data directories are. */
    enum Home {
        /** They are the disks themselves. */
        DISK,
        /** The servers make them. */
        MADE
    }

    /** Of a process, until its end. */
    private record Life(Process process, CompletableFuture<String> ready) {}

    /** Formats a file system and starts it; serves on return. */
    PoweredServers(Path directory, Home home, int mds, int shards, int io, Map<String, String> more)
            throws IOException {
        this.directory = directory;
        this.home = home;
        try {
            disks = opened.keep(Disks.mount(directory));
            EmbeddedZooKeeper zooKeeper = opened.keep(EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0));
            settings = new LinkedHashMap<>(more);
            settings.put(ZooKeeperTree.CONNECT.name(), zooKeeper.connectString());
            settings.put(SecretFile.FILE.name(), TestSecret.in(directory));
            Settings format = Settings.of(Map.of(
                    ZooKeeperTree.CONNECT.name(),
                    zooKeeper.connectString(),
                    SecretFile.FILE.name(),
                    TestSecret.in(directory),
                    "stead.format.shards",
                    Integer.toString(shards),
                    "stead.format.mds",
                    Integer.toString(mds)));
            try (ZooKeeperTree tree = ZooKeeperTree.connect(format)) {
                FileSystemFormat.fresh(format, System.getProperty("user.name"), System.currentTimeMillis())
                        .write(tree, false);
            }
            for (int number = 1; number <= mds; number++) {
                add(ServerId.mds(number));
            }
            for (int number = 1; number <= io; number++) {
                add(ServerId.io(number));
            }
            opened.keep(this::kill);
            begin(ports.keySet());
            awaitReady(ports.keySet());
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void add(ServerId id) throws IOException {
        disks.make(id.toString());
        ports.put(id, freePorts.next());
    }

    Disks disks() {
        return disks;
    }

    List<ServerId> ids() {
        return List.copyOf(ports.keySet());
    }

    /** Id of the process that the server is now. */
    long pid(ServerId id) {
        // In front of it is only what puts it into the namespace, and that is the same process.
        return life(id).process().pid();
    }

    /** Where the metadata servers listen, always. */
    List<ServerAddress> addresses() {
        return ports.entrySet().stream()
                .filter(each -> each.getKey().role() == ClusterMap.Role.MDS)
                .map(each -> new ServerAddress("127.0.0.1", each.getValue()))
                .toList();
    }

    /** Starts these, and returns at once. */
    void begin(Collection<ServerId> ids) throws IOException {
        for (ServerId id : ids) {
            boolean mds = id.role() == ClusterMap.Role.MDS;
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-XX:+UseSerialGC",
                    // Most of a short life is spent on its start.
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    Main.class.getName(),
                    mds ? "mds" : "ioserver",
                    "--end-with-input",
                    "--id",
                    Integer.toString(id.number()),
                    "--dir",
                    dataDirectory(id).toString(),
                    "--set",
                    "stead.port=" + ports.get(id),
                    "--set",
                    "stead.metrics.port=0"));
            ConfigKeys understood = mds ? ServerKeys.MDS : ServerKeys.IO;
            understood.list().stream()
                    .map(ConfigKey::name)
                    .filter(settings::containsKey)
                    .forEach(key -> command.addAll(List.of("--set", key + "=" + settings.get(key))));
            Process process = new ProcessBuilder(disks.inside(command))
                    .redirectError(ProcessBuilder.Redirect.appendTo(log(id).toFile()))
                    .start();
            running.put(id, new Life(process, firstLine(process)));
        }
    }

    private Path dataDirectory(ServerId id) {
        Path disk = disks.within(id.toString());
        return home == Home.MADE ? disk.resolve("data") : disk;
    }

    private Life life(ServerId id) {
        return Optional.ofNullable(running.get(id))
                .orElseThrow(() -> new IllegalArgumentException(id + " was never started"));
    }

    private Path log(ServerId id) {
        return directory.resolve(id + ".log");
    }

    private static CompletableFuture<String> firstLine(Process process) {
        CompletableFuture<String> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try (BufferedReader out = process.inputReader()) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith("READY ")) {
                        ready.complete(line);
                    }
                }
                ready.completeExceptionally(new IOException("it ended"));
            } catch (IOException e) {
                ready.completeExceptionally(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
        return ready;
    }

    /** Returns when all of these serve. */
    void awaitReady(Collection<ServerId> ids) throws IOException {
        for (ServerId id : ids) {
            Life life = life(id);
            try {
                life.ready().get(SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException(id + " does not start: " + lastWords(id), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + id + " started", e);
            }
        }
    }

    private String lastWords(ServerId id) throws IOException {
        String all = Files.readString(log(id), StandardCharsets.UTF_8);
        return all.substring(Math.max(0, all.length() - LAST_BYTES));
    }

    /**
     * Takes the power from these, all at one moment, and gives it back: what is running then is the rest.
     *
     * @param seed of what disks kept though it was not synced; none: they kept nothing of that
     */
    Loss lose(Collection<ServerId> victims, OptionalLong seed) throws IOException {
        disks.cut(victims.stream().map(ServerId::toString).toList());
        for (ServerId id : victims) {
            life(id).process().destroyForcibly();
        }
        Loss all = Loss.NOTHING;
        for (ServerId id : victims) {
            disks.refuseWaiting(id.toString());
        }
        for (ServerId id : victims) {
            awaitEnd(id);
            OptionalLong own = seed.isPresent()
                    ? OptionalLong.of(seed.getAsLong() + id.toString().hashCode())
                    : seed;
            all = all.plus(disks.lose(id.toString(), own));
        }
        return all;
    }

    private void awaitEnd(ServerId id) throws IOException {
        Process process = life(id).process();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(id + " goes on after SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + id + " ended", e);
        }
    }

    private void kill() {
        running.values().forEach(life -> life.process().destroyForcibly());
        running.values().forEach(life -> life.process().onExit().join());
    }

    @Override
    public void close() {
        opened.close();
    }
}
