package io.steadfs.cli.local;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.SteadUri;
import java.io.IOException;
import java.nio.file.Path;

/** Runs a whole cluster in this process while a command works. */
public final class OwnCluster {
    private OwnCluster() {}

    /**
     * Starts a cluster in the folder. If the folder is empty, the method formats a file system first. The cleanup stops
     * the cluster.
     */
    public static SteadUri start(Path folder, int ioServers, Cleanup cleanup) throws IOException {
        LocalCluster cluster =
                cleanup.add(LocalCluster.in(folder).ioServers(ioServers).start());
        return new SteadUri(cluster.address());
    }
}
