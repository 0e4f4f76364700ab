package io.steadfs.cli.local;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Takes what a cluster on this machine is to be, whichever process its servers run in.
 *
 * @param <B> the builder itself
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

    /** By default the number in an existing file system, and 1 for a new one. */
    public B mds(int count) {
        this.metadataServers = count;
        return self();
    }

    /** By default the number in an existing file system, and one for each metadata server of a new one. */
    public B shards(int count) {
        this.shards = count;
        return self();
    }

    /** By default 4; 1 to 0x7fff. */
    public B ioServers(int count) {
        this.ioServers = count;
        return self();
    }

    /** By default the ports of earlier starts if they are free, else any. */
    public B ports(PortChoice choice) {
        this.ports = choice;
        return self();
    }

    /** Uses this ZooKeeper, {@code host:port,...}, and starts none. */
    public B zooKeeper(String connect) {
        this.zooKeeper = connect;
        return self();
    }

    /** Whether servers accept older states of their stores when the cluster starts. */
    public B acceptLoss(boolean accepted) {
        this.acceptLoss = accepted;
        return self();
    }

    /** Sets a configuration key of any of the servers. */
    public B set(String key, String value) {
        values.put(key, value);
        return self();
    }

    /** What was said so far. */
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
