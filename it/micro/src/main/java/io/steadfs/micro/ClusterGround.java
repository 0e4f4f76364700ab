package io.steadfs.micro;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.client.SteadFs;
import io.steadfs.lab.bench.pace.Quiet;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A running cluster in this process, one metadata server with one shard and four IO servers, and one client. */
final class ClusterGround implements AutoCloseable {
    static final FsPath DIRECTORY = new FsPath(List.of("micro"));

    private static final int IO_SERVERS = 4;

    private final Folder folder = Folder.make();
    private final LocalCluster cluster =
            LocalCluster.in(folder.path()).ioServers(IO_SERVERS).start();
    private final Connections connections = Connections.ofProcess();
    private final Connection client;
    private final Quiet quiet;

    /** @param settings of the client */
    static ClusterGround start(Map<String, String> settings) {
        try {
            return new ClusterGround(settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClusterGround(Map<String, String> settings) throws IOException {
        this.client = connections.open(new SteadUri(cluster.address()), settings);
        this.quiet = new Quiet(client);
        fs().mkdirs(DIRECTORY, 0755, true, false);
    }

    SteadFs fs() {
        return client.fs();
    }

    /** Waits until what deletions leave behind is done. */
    void awaitQuiet() throws IOException, InterruptedException {
        quiet.await();
    }

    @Override
    public void close() throws IOException {
        client.close();
        connections.close();
        cluster.close();
        folder.close();
    }
}
