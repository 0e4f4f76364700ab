package io.steadfs.cli.local;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.SteadUri;
import java.io.IOException;
import java.nio.file.Path;

/** A whole cluster in this process, for as long as a command works. */
public final class OwnCluster {
    private OwnCluster() {}

    /** Starts a cluster in the folder, and formats it if it is empty. The cleanup stops it. */
    public static SteadUri start(Path folder, int ioServers, Cleanup cleanup) throws IOException {
        LocalCluster cluster =
                cleanup.add(LocalCluster.in(folder).ioServers(ioServers).start());
        return new SteadUri(cluster.address());
    }
}
