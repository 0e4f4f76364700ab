package io.steadfs.lab.bench.compare.system;

import io.steadfs.cli.connect.Cleanup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;

/**
 * The SteadFS of a {@link SteadHome}: metadata servers, IO servers, and ZooKeeper. Each server and
 * ZooKeeper run in processes of their own. The client runs in this process, with the classes of the client jar of the
 * {@link SteadHome}. This class uses only what users of every build have: commands, configuration keys, Hadoop's
 * FileSystem and metrics.
 */
public final class HomeContender implements Contender {
    /** The README tells users to set this key if the client jar comes after Hadoop's jars on the class path. */
    private static final String FILE_SYSTEM_KEY = "fs.stead.impl";

    private static final String FILE_SYSTEM = "io.steadfs.hadoop.SteadFileSystem";

    private static final String MESSAGES = "steadfs_messages_in_total";
    private static final List<String> FSYNCS =
            List.of("steadfs_log_fsyncs_total", "steadfs_store_syncs_total", "steadfs_fsyncs_total");
    private static final String MEMORY_OF_ROWS = "steadfs_store_blockcache_bytes";

    /** Metrics of the work that metadata servers still have to do after deletions and recoveries. */
    private static final List<String> WORK = List.of(
            "steadfs_deletion_datafiles",
            "steadfs_deletion_trees",
            "steadfs_outbox_pending",
            "steadfs_recovery_files",
            "steadfs_intents_open");

    private static final long POLL_MILLIS = 5;
    private static final long PATIENCE_SECONDS = 120;

    private final String name;
    private final String version;
    private final Map<String, String> settings;
    private final HomeCluster cluster;
    private final ClientOpening client;
    private final FileSystem fileSystem;

    /**
     * Starts the cluster in an empty folder, or in the folder of an earlier start. The cleanup ends the cluster.
     *
     * @param settings configuration values by key; the allowed keys are those of {@link KnownKeys#of}
     * @throws IOException if the cluster does not start; the message gives the reason
     */
    public HomeContender(
            String name, SteadHome home, Path folder, ClusterSize size, Map<String, String> settings, Cleanup cleanup)
            throws IOException, InterruptedException {
        this.name = name;
        this.version = home.version();
        this.settings = new TreeMap<>(settings);
        KnownKeys keys = KnownKeys.of(home);
        this.cluster = cleanup.add(HomeCluster.start(home, folder, size, keys.ofServers(settings)));
        Map<String, String> values = new TreeMap<>(keys.ofClients(settings));
        values.put(FILE_SYSTEM_KEY, FILE_SYSTEM);
        this.client = new ClientOpening(cluster.uri(), values, Optional.of(home.clientJar()));
        this.fileSystem = cleanup.add(client.open());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return "SteadFS (" + version + ")";
    }

    @Override
    public FileSystem fileSystem() {
        return fileSystem;
    }

    @Override
    public ClientOpening client() {
        return client;
    }

    @Override
    public SortedMap<String, Long> servers() {
        SortedMap<String, Long> pids = new TreeMap<>();
        cluster.servers().forEach(server -> pids.put(server.name(), server.pid()));
        return pids;
    }

    /** Returns an empty map if the servers have no metrics. */
    @Override
    public Map<String, Long> cacheBytes() throws IOException {
        Map<String, Long> bytes = new TreeMap<>();
        for (HomeCluster.Server server : cluster.servers()) {
            cluster.metrics(server).ifPresent(page -> bytes.put(server.name(), page.sum(MEMORY_OF_ROWS)));
        }
        return bytes;
    }

    @Override
    public Optional<Costs> costs() throws IOException {
        Costs all = new Costs(0, 0);
        for (HomeCluster.Server server : cluster.servers()) {
            Optional<MetricsPage> answered = cluster.metrics(server);
            if (answered.isEmpty()) {
                return Optional.empty();
            }
            MetricsPage page = answered.get();
            all = all.plus(new Costs(
                    page.sum(MESSAGES), FSYNCS.stream().mapToLong(page::sum).sum()));
        }
        return Optional.of(all);
    }

    /** Waits until the servers' metrics show no unfinished work. Does not wait if the servers have no metrics. */
    @Override
    public void awaitQuiet() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (long left = workLeft(); left > 0; left = workLeft()) {
            if (System.nanoTime() - until > 0) {
                throw new IOException(
                        name + " has work left after " + PATIENCE_SECONDS + " s: " + left + " in the sum of " + WORK);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private long workLeft() throws IOException {
        long left = 0;
        for (HomeCluster.Server server : cluster.servers()) {
            if (server.isMds()) {
                left += cluster.metrics(server)
                        .map(page -> WORK.stream().mapToLong(page::sum).sum())
                        .orElse(0L);
            }
        }
        return left;
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }
}
