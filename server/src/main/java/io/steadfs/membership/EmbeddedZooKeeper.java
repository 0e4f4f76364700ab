package io.steadfs.membership;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** Runs a single ZooKeeper server inside this process. {@link EnsembleMember} runs a server of an ensemble. */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 500;
    private static final int MIN_SESSION_MILLIS = 1000;
    private static final int MAX_SESSION_MILLIS = 300_000;
    private static final int CONNECTIONS = 256;
    private static final int SNAPSHOTS_KEPT = 3;

    private final ServerCnxnFactory connections;
    private final ZooKeeperServer server;
    private final FileTxnSnapLog files;

    private EmbeddedZooKeeper(ServerCnxnFactory connections, ZooKeeperServer server, FileTxnSnapLog files) {
        this.connections = connections;
        this.server = server;
        this.files = files;
    }

    /** Starts the server on the loopback address, for a cluster on one machine. */
    public static EmbeddedZooKeeper start(Path directory, int port) throws MembershipException {
        return start(directory, "127.0.0.1", port);
    }

    /**
     * Starts the server with the files that an earlier server left in the directory.
     *
     * @param host the address or host name to listen on
     * @param port the port to listen on; 0 = any free port
     * @throws MembershipException if the port is in use, or if ZooKeeper cannot use the directory; the message names
     *     the port or the directory
     */
    public static EmbeddedZooKeeper start(Path directory, String host, int port) throws MembershipException {
        FileTxnSnapLog files;
        try {
            ZooKeeperFiles.make(directory);
            PurgeTxnLog.purge(directory.toFile(), directory.toFile(), SNAPSHOTS_KEPT);
            files = new FileTxnSnapLog(directory.toFile(), directory.toFile());
        } catch (IOException e) {
            throw new MembershipException("ZooKeeper cannot use directory " + directory + ": " + e.getMessage(), e);
        }
        ZooKeeperServer server = new ZooKeeperServer(files, TICK_MILLIS, "");
        server.setMinSessionTimeout(MIN_SESSION_MILLIS);
        server.setMaxSessionTimeout(MAX_SESSION_MILLIS);
        InetSocketAddress address = new InetSocketAddress(host, port);
        try {
            ServerCnxnFactory connections = ServerCnxnFactory.createFactory(address, CONNECTIONS);
            connections.startup(server);
            return new EmbeddedZooKeeper(connections, server, files);
        } catch (BindException e) {
            closeFiles(files);
            throw new MembershipException("port " + port + " for ZooKeeper is in use", e);
        } catch (IOException e) {
            closeFiles(files);
            throw new MembershipException("ZooKeeper cannot start in " + directory + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            closeFiles(files);
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while ZooKeeper started", e);
        }
    }

    public int port() {
        return connections.getLocalPort();
    }

    /** The value of {@link ZooKeeperTree#CONNECT} with which servers reach this ZooKeeper. */
    public String connectString() {
        return "127.0.0.1:" + port();
    }

    private static void closeFiles(FileTxnSnapLog files) {
        try {
            files.close();
        } catch (IOException e) {
            throw new IllegalStateException("ZooKeeper's files cannot be closed", e);
        }
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown(true);
        closeFiles(files);
    }
}
