package io.steadfs.lab.bench.compare.system;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.ServerStatus;
import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.client.ClientKeys;
import io.steadfs.config.ConfigKeys;
import io.steadfs.lab.bench.pace.Quiet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;

/**
 * SteadFS of this build, with metadata servers and IO servers. Each server runs in a process of its own.
 * ZooKeeper runs in this process.
 */
public final class SteadContender implements Contender {
    /** The configuration keys that may be set: keys of servers and keys of clients. */
    public static final ConfigKeys KEYS = ServerKeys.MDS.and(ServerKeys.IO).and(ClientKeys.ALL);

    private static final String MEMORY_OF_ROWS = "store.blockcache.bytes";
    private static final long STATUS_TIMEOUT_MILLIS = 10_000;

    private final String name;
    private final Map<String, String> settings;
    private final ProcessCluster cluster;
    private final Connection observer;
    private final ClientOpening client;
    private final FileSystem fileSystem;

    /**
     * Starts the cluster in an empty folder, or in the folder of an earlier start. The cleanup ends the cluster.
     *
     * @param settings configuration values by key; the allowed keys are {@link #KEYS}
     * @param clientJar client jar of clients in other processes; empty if they have the classes of this program
     * @throws IOException if the cluster does not start; the message gives the reason
     */
    public SteadContender(
            String name,
            Path folder,
            ClusterSize size,
            Map<String, String> settings,
            Optional<Path> clientJar,
            Cleanup cleanup)
            throws IOException {
        this.name = name;
        this.settings = new TreeMap<>(settings);
        ProcessCluster.Builder builder =
                ProcessCluster.in(folder).mds(size.mds()).shards(size.shards()).ioServers(size.dataServers());
        KnownKeys keys = KnownKeys.here();
        keys.ofServers(settings).forEach(builder::set);
        this.cluster = cleanup.add(builder.start());
        Connections connections = cleanup.add(Connections.ofProcess());
        this.observer = cleanup.add(connections.open(new SteadUri(cluster.address())));
        this.client = new ClientOpening(cluster.uri(), keys.ofClients(settings), clientJar);
        this.fileSystem = cleanup.add(client.withoutJar().open());
    }

    @Override
    public String name() {
        return name;
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
        for (String server : cluster.servers()) {
            cluster.pidOf(server).ifPresent(pid -> pids.put(server, pid));
        }
        return pids;
    }

    /**
     * Size of the block cache of each server's store. The block cache accounts for blocks, indexes, filters and
     * unflushed rows.
     */
    @Override
    public Map<String, Long> cacheBytes() throws IOException {
        ClusterStatus status =
                ClusterStatus.ask(observer.transport(), observer.fs().clusterMap(), STATUS_TIMEOUT_MILLIS);
        Map<String, Long> bytes = new TreeMap<>();
        for (ServerStatus server : status.servers()) {
            long sum = server.gauges().entrySet().stream()
                    .filter(gauge -> gauge.getKey().endsWith(MEMORY_OF_ROWS))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            bytes.put(server.name(), sum);
        }
        return bytes;
    }

    @Override
    public Optional<Costs> costs() throws IOException {
        Counters counters = observer.counters();
        long messages =
                counters.messages().values().stream().mapToLong(Long::longValue).sum();
        return Optional.of(new Costs(messages, counters.fsyncs("mds") + counters.fsyncs("io")));
    }

    @Override
    public void awaitQuiet() throws IOException, InterruptedException {
        new Quiet(observer).await();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }
}
