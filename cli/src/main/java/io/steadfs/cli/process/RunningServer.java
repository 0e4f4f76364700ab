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

/** One server that serves: its directory is locked, its identity proven, its port open, and it is announced to the others. */
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
     * Starts the server; it serves on return.
     *
     * @param directory its data directory, made if it does not exist
     * @param allowed the losses that the operator accepts
     * @param loops closed by the caller, after the server
     * @throws IOException naming what cannot be used
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

    /** The URL of its metrics, as {@code http://host:port/metrics}; empty if it has none. */
    public Optional<String> metricsUrl() {
        return metrics.map(where -> "http://" + where + "/metrics");
    }

    public Path directory() {
        return directory;
    }

    /** Stops the server in order. */
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
