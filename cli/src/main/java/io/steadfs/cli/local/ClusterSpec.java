package io.steadfs.cli.local;

import java.nio.file.Path;
import java.util.Map;

/**
 * Describes a cluster to start on this machine.
 *
 * @param values configuration of the servers, by key
 * @param ports ports for the servers if the directory contains no ports from an earlier start
 * @param zooKeeper address of the ZooKeeper to use, {@code host:port,...}; empty = the cluster starts its own ZooKeeper
 * @param acceptLoss whether servers accept older states of their stores
 */
record ClusterSpec(
        Path directory,
        Numbers numbers,
        Map<String, String> values,
        PortChoice ports,
        String zooKeeper,
        boolean acceptLoss) {}
