package io.steadfs.cli.local;

import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** A whole cluster on this machine. The servers may run in one process or in several processes. */
interface ServingCluster extends AutoCloseable {
    /** The address of the first running metadata server. */
    ServerAddress address();

    /** {@code stead://host:port} of a metadata server. */
    default URI uri() {
        return URI.create("stead://" + address());
    }

    /** The URLs of the servers' metrics, by name of the server. Only running servers with metrics are included. */
    Map<String, String> metricsUrls();

    /** The stored ports of the servers, and of all other parts of the cluster that listen on a port. */
    LocalPorts ports();

    /** The output of {@code --json}: the servers and their addresses. */
    Map<String, ?> description();

    /** Stops all servers in an orderly way. A second call does nothing. */
    @Override
    void close() throws IOException;
}
