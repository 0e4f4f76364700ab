package io.steadfs.cli.local;

import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** A whole cluster on this machine, however many processes it has. */
interface ServingCluster extends AutoCloseable {
    /** The address of the first metadata server that runs. */
    ServerAddress address();

    /** {@code stead://host:port} of a metadata server. */
    default URI uri() {
        return URI.create("stead://" + address());
    }

    /** The URL of the metrics of each running server, by its name; without servers that have none. */
    Map<String, String> metricsUrls();

    /** The last ports of its servers, and of its other parts that listen. */
    LocalPorts ports();

    /** The output of {@code --json}: the servers and their addresses. */
    Map<String, ?> description();

    /** Stops all servers in order. Closing twice is harmless. */
    @Override
    void close() throws IOException;
}
