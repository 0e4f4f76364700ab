package io.steadfs.cli.local;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** A whole cluster on this machine, however many processes it has. */
interface ServingCluster extends AutoCloseable {
    /** {@code stead://host:port} of a metadata server. */
    URI uri();

    /** Where each server that runs tells of itself over HTTP, by its name; without those that do not. */
    Map<String, String> metricsUrls();

    /** Where its servers, and what else belongs to it, listened last. */
    LocalPorts ports();

    /** What {@code --json} prints: servers and where they are. */
    Map<String, ?> description();

    /** Stops all servers in order. Closing twice is harmless. */
    @Override
    void close() throws IOException;
}
