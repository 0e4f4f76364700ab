package io.steadfs.lab.bench.figure.ground;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.lab.bench.pace.Quiet;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** A new cluster in this process for one point of a figure. Each shard has a metadata server of its own. */
public final class FigureCluster {
    /** In this directory all figures work. */
    public static final FsPath FOLDER = new FsPath(List.of("figure"));

    private final LocalCluster cluster;
    private final Connections connections;
    private final Connection observer;
    private final Quiet quiet;
    private final Cleanup cleanup;

    /**
     * Starts the cluster. The cleanup ends it and removes its data.
     *
     * @param settings configuration values of the servers, by key
     */
    public FigureCluster(Place place, int shards, int ioServers, Map<String, String> settings, Cleanup cleanup)
            throws IOException {
        LocalCluster.Builder builder = LocalCluster.in(cleanup.temporaryFolder(place.folder(), "stead-figure-"))
                .mds(shards)
                .shards(shards)
                .ioServers(ioServers);
        settings.forEach(builder::set);
        this.cluster = cleanup.add(builder.start());
        this.connections = cleanup.add(Connections.ofProcess());
        this.cleanup = cleanup;
        this.observer = client(Map.of());
        this.quiet = new Quiet(observer);
    }

    /** Makes one more client, with some settings of its own. The cleanup closes it. */
    public Connection client(Map<String, String> settings) throws IOException {
        return cleanup.add(connections.open(new SteadUri(cluster.address()), settings));
    }

    /** The client that prepares and looks, and is not measured. */
    public Connection observer() {
        return observer;
    }

    /** Waits until the servers have finished all work that deletions leave behind. */
    public void awaitQuiet() throws IOException, InterruptedException {
        quiet.await();
    }

    public URI uri() {
        return cluster.uri();
    }
}
