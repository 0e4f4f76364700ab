package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of a local cluster, and the configuration that all servers share.
 *
 * @param ids the servers in the order of their start
 * @param values the shared configuration by key; contains only keys that are set
 * @param settings the shared configuration in parsed form
 */
record PlannedServers(List<ServerId> ids, Map<String, String> values, Settings settings, MetricsPorts metrics) {
    /**
     * Plans the servers of the file system in this ZooKeeper. If ZooKeeper contains no file system, the method formats
     * one.
     *
     * @param zooKeeper address of ZooKeeper, {@code host:port,...}
     * @throws IOException if the servers cannot be planned. The message names the cause, for example an existing file
     * system with another number of servers or shards.
     */
    static PlannedServers of(ClusterSpec spec, ClusterFolder folder, String zooKeeper) throws IOException {
        Map<String, String> values = spec.numbers().formatting(spec.values());
        values.putIfAbsent(SecretFile.FILE.name(), folder.secret().toString());
        values.put(ZooKeeperTree.CONNECT.name(), zooKeeper);
        Settings settings = Settings.of(values);
        FileSystemFormat format = NewFileSystem.formatIfNone(settings);
        List<ServerId> ids = spec.numbers().servers(format, NewFileSystem.hosts(settings));
        return new PlannedServers(ids, values, settings, new MetricsPorts(ids, folder.ports(), spec.ports()));
    }

    /** The configuration values that only this server has. */
    Map<String, String> own(ServerId server) throws IOException {
        return metrics.of(server, settings);
    }

    /** Stores the port of the server's metrics for the next start. */
    void rememberMetrics(ServerId server, Optional<String> url) throws IOException {
        metrics.remember(server, settings, url);
    }
}
