package io.steadfs.cli.local;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Collects the settings of a cluster on this machine. The servers of the cluster may run in this process or in other
 * processes.
 *
 * @param <B> the type of the builder itself
 */
public abstract class ClusterBuilder<B extends ClusterBuilder<B>> {
    private final Path directory;
    private final Map<String, String> values = new HashMap<>();
    private int metadataServers;
    private int shards;
    private int ioServers = 4;
    private PortChoice ports = PortChoice.ANY;
    private String zooKeeper = "";
    private boolean acceptLoss;

    ClusterBuilder(Path directory) {
        this.directory = directory;
    }

    /** This builder. */
    abstract B self();

    /**
     * Sets the number of metadata servers. By default, a new file system has 1 metadata server. An existing file system
     * always keeps its number.
     */
    public B mds(int count) {
        this.metadataServers = count;
        return self();
    }

    /**
     * Sets the number of shards. By default, a new file system has one shard for each metadata server. An existing file
     * system always keeps its number.
     */
    public B shards(int count) {
        this.shards = count;
        return self();
    }

    /** Sets the number of IO servers, from 1 to 0x7fff. The default is 4. */
    public B ioServers(int count) {
        this.ioServers = count;
        return self();
    }

    /**
     * Sets the choice of ports. By default, each server uses the port of an earlier start if that port is free, and
     * otherwise any free port.
     */
    public B ports(PortChoice choice) {
        this.ports = choice;
        return self();
    }

    /** Uses the ZooKeeper at {@code host:port,...}. The cluster then starts no ZooKeeper of its own. */
    public B zooKeeper(String connect) {
        this.zooKeeper = connect;
        return self();
    }

    /** Sets whether servers accept an older state of their stores when the cluster starts. */
    public B acceptLoss(boolean accepted) {
        this.acceptLoss = accepted;
        return self();
    }

    /** Sets a configuration key. Any of the servers may use the key. */
    public B set(String key, String value) {
        values.put(key, value);
        return self();
    }

    /** Returns the collected settings. */
    ClusterSpec spec() {
        return new ClusterSpec(
                directory,
                new Numbers(metadataServers, shards, ioServers),
                Map.copyOf(values),
                ports,
                zooKeeper,
                acceptLoss);
    }
}
