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

/** One server that serves: its directory locked, its identity proven, its port open, announced to the others. */
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
     * Starts it; serves on return.
     *
     * @param directory its data directory, made if it is not there
     * @param allowed what the operator says is lost
     * @param loops stays the caller's, until after the server is closed
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

    /** Where it tells of itself over HTTP, as {@code http://host:port/metrics}; empty if it does not. */
    public Optional<String> metricsUrl() {
        return metrics.map(where -> "http://" + where + "/metrics");
    }

    public Path directory() {
        return directory;
    }

    /** Stops it in order. */
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
