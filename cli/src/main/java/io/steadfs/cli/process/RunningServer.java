package io.steadfs.cli.process;

import io.steadfs.config.Settings;
import io.steadfs.ioserver.IoServer;
import io.steadfs.mds.MdsServer;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One server that is serving. The server has locked its directory, proven its identity, opened its port, and announced
 * itself to the other servers.
 */
public final class RunningServer implements AutoCloseable {
    private final ServerId id;
    private final Path directory;
    private final AutoCloseable server;
    private final ServerAddress address;
    private final Optional<ServerAddress> metrics;

    private RunningServer(
            ServerId id, Path directory, AutoCloseable server, ServerAddress address, Optional<ServerAddress> metrics) {
        this.id = id;
        this.directory = directory;
        this.server = server;
        this.address = address;
        this.metrics = metrics;
    }

    /**
     * Starts the server. The server serves requests when this method returns.
     *
     * @param directory data directory of the server; created if it does not exist
     * @param allowed the losses of data that the operator accepts
     * @param loops event loops of the server; the caller closes them after the server
     * @throws IOException if something that the server needs cannot be used; the message names the cause
     */
    public static RunningServer start(
            ServerId id, Path directory, Listening listening, Allowed allowed, EventLoops loops, Settings said)
            throws IOException {
        Settings settings = said.understanding(id.role() == ClusterMap.Role.MDS ? ServerKeys.MDS : ServerKeys.IO);
        if (id.role() == ClusterMap.Role.MDS) {
            MdsServer server = new MdsServer(
                    id.number(),
                    directory,
                    listening.bindHost(),
                    listening.port(),
                    listening.announcedHost(),
                    io.steadfs.mds.ClusterNeighbours.join(id.number(), directory, listening.rack(), allowed, settings),
                    loops,
                    settings);
            return new RunningServer(id, directory, server, server.address(), server.metricsAddress());
        }
        IoServer server = new IoServer(
                id.number(),
                directory,
                listening.bindHost(),
                listening.port(),
                listening.announcedHost(),
                io.steadfs.ioserver.ClusterNeighbours.join(id.number(), directory, listening.rack(), allowed, settings),
                loops,
                settings);
        return new RunningServer(id, directory, server, server.address(), server.metricsAddress());
    }

    public ServerId id() {
        return id;
    }

    public ServerAddress address() {
        return address;
    }

    /** The URL of the server's metrics, {@code http://host:port/metrics}; empty if the server has no metrics. */
    public Optional<String> metricsUrl() {
        return metrics.map(where -> "http://" + where + "/metrics");
    }

    public Path directory() {
        return directory;
    }

    /** Stops the server in an orderly way. */
    @Override
    public void close() throws IOException {
        try {
            server.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(id + " did not stop in order: " + e.getMessage(), e);
        }
    }
}
