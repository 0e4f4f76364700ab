package io.steadfs.cli.local;

import java.nio.file.Path;
import java.util.Map;

/**
 * Which cluster to start on this machine.
 *
 * @param values configuration of its servers, by key
 * @param ports of its servers, if the directory has none from an earlier start
 * @param zooKeeper the ZooKeeper to use, {@code host:port,...}; empty = the cluster starts its own
 * @param acceptLoss whether servers accept older states of their stores
 */
record ClusterSpec(
        Path directory,
        Numbers numbers,
        Map<String, String> values,
        PortChoice ports,
        String zooKeeper,
        boolean acceptLoss) {}
