package io.steadfs.cli.process;

import io.steadfs.config.Settings;
import io.steadfs.ioserver.IoServer;
import io.steadfs.mds.MdsServer;
import io.steadfs.membership.DataDirectory;
import io.steadfs.membership.Membership;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** One server that serves: its directory locked, its identity proven, its port open, announced to the others. */
public final class RunningServer implements AutoCloseable {
    private final ServerId id;
    private final DataDirectory directory;
    private final AutoCloseable server;
    private final Supplier<ServerAddress> address;

    private RunningServer(ServerId id, DataDirectory directory, AutoCloseable server, Supplier<ServerAddress> address) {
        this.id = id;
        this.directory = directory;
        this.server = server;
        this.address = address;
    }

    /**
     * Starts it; serves on return.
     *
     * @param path of its data directory, made if it is not there
     * @param replaceStore accepts an empty directory in place of one that was lost
     * @param loops stays the caller's, until after the server is closed
     * @throws IOException naming what cannot be used
     */
    public static RunningServer start(
            ServerId id, Path path, Listening listening, boolean replaceStore, EventLoops loops, Settings settings)
            throws IOException {
        DataDirectory directory = DataDirectory.open(path);
        try {
            return id.role() == ClusterMap.Role.MDS
                    ? startMds(id, directory, listening, replaceStore, loops, settings)
                    : startIo(id, directory, listening, replaceStore, loops, settings);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static RunningServer startMds(
            ServerId id,
            DataDirectory directory,
            Listening listening,
            boolean replaceStore,
            EventLoops loops,
            Settings settings)
            throws IOException {
        Membership membership = Membership.open(settings, id, directory, replaceStore);
        MdsServer server = new MdsServer(
                id.number(),
                directory.path(),
                listening.bindHost(),
                listening.port(),
                listening.announcedHost(),
                new MdsMembership(membership, listening.rack()),
                loops,
                settings);
        return new RunningServer(id, directory, server, server::address);
    }

    private static RunningServer startIo(
            ServerId id,
            DataDirectory directory,
            Listening listening,
            boolean replaceStore,
            EventLoops loops,
            Settings settings)
            throws IOException {
        Membership membership = Membership.open(settings, id, directory, replaceStore);
        IoMembership neighbours;
        try {
            neighbours = new IoMembership(membership, listening.rack());
        } catch (IOException e) {
            membership.close();
            throw e;
        }
        IoServer server = new IoServer(
                id.number(),
                directory.path(),
                listening.bindHost(),
                listening.port(),
                listening.announcedHost(),
                neighbours,
                loops,
                settings);
        return new RunningServer(id, directory, server, server::address);
    }

    public ServerId id() {
        return id;
    }

    public ServerAddress address() {
        return address.get();
    }

    public Path directory() {
        return directory.path();
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
        } finally {
            directory.close();
        }
    }
}
