package io.steadfs.cli.local;

import io.steadfs.membership.DataDirectory;
import io.steadfs.membership.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Holds the folder in which a local cluster keeps all its state. If the cluster's ZooKeeper runs in this process, this
 * class also holds the ZooKeeper. The folder contains:
 *
 * <pre>
 * DIR/lock            held while the cluster runs
 * DIR/cluster.secret  the secret by which the servers know each other
 * DIR/ports           the last ports of the servers
 * DIR/zookeeper/      files of the ZooKeeper in this process
 * DIR/mds-1/ ...      data directories of the metadata servers
 * DIR/io-1/ ...       data directories of the IO servers
 * </pre>
 */
final class ClusterFolder implements AutoCloseable {
    private static final String ZOOKEEPER = "zookeeper";

    private final DataDirectory held;
    private final LocalPorts ports;
    private Optional<EmbeddedZooKeeper> zooKeeper = Optional.empty();

    private ClusterFolder(DataDirectory held, LocalPorts ports) {
        this.held = held;
        this.ports = ports;
    }

    /**
     * Locks the folder. If the folder does not exist, the method creates the folder.
     *
     * @throws IOException if another cluster uses the folder, or if the folder cannot be used; the message names the
     * folder
     */
    static ClusterFolder open(Path directory) throws IOException {
        DataDirectory held = DataDirectory.open(directory);
        try {
            return new ClusterFolder(held, new LocalPorts(held.path().resolve("ports")));
        } catch (IOException | RuntimeException e) {
            held.close();
            throw e;
        }
    }

    Path path() {
        return held.path();
    }

    Path secret() {
        return path().resolve("cluster.secret");
    }

    LocalPorts ports() {
        return ports;
    }

    /**
     * Starts a ZooKeeper in this process. If the ZooKeeper's last port is free, the new ZooKeeper uses the same port.
     *
     * @return the ZooKeeper's address for servers, {@code host:port}
     */
    String startZooKeeper(PortChoice choice) throws IOException {
        EmbeddedZooKeeper started =
                EmbeddedZooKeeper.start(path().resolve(ZOOKEEPER), ports.choose(ZOOKEEPER, choice.zooKeeper(), choice));
        zooKeeper = Optional.of(started);
        ports.remember(ZOOKEEPER, started.port());
        return started.connectString();
    }

    /** Stops the ZooKeeper and unlocks the folder. */
    @Override
    public void close() throws IOException {
        zooKeeper.ifPresent(EmbeddedZooKeeper::close);
        held.close();
    }
}
