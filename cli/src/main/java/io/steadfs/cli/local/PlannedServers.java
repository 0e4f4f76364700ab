package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of a local cluster, and the configuration that they share.
 *
 * @param ids in the order of their start
 * @param values the configuration by key, as far as it is set
 * @param settings the same configuration
 */
record PlannedServers(List<ServerId> ids, Map<String, String> values, Settings settings, MetricsPorts metrics) {
    /**
     * The servers of the file system in this ZooKeeper. If there is none, one is formatted.
     *
     * @param zooKeeper {@code host:port,...}
     * @throws IOException naming the obstacle, for example a file system with other numbers of servers or shards
     */
    static PlannedServers of(ClusterSpec spec, ClusterFolder folder, String zooKeeper) throws IOException {
        Map<String, String> values = spec.numbers().formatting(spec.values());
        values.putIfAbsent(SecretFile.FILE.name(), folder.secret().toString());
        values.put(ZooKeeperTree.CONNECT.name(), zooKeeper);
        Settings settings = Settings.of(values);
        List<ServerId> ids = spec.numbers().servers(NewFileSystem.formatIfNone(settings));
        return new PlannedServers(ids, values, settings, new MetricsPorts(ids, folder.ports(), spec.ports()));
    }

    /** The server's own values, besides those that all share. */
    Map<String, String> own(ServerId server) throws IOException {
        return metrics.of(server, settings);
    }

    /** Stores where the server's metrics are, for the next start. */
    void rememberMetrics(ServerId server, Optional<String> url) throws IOException {
        metrics.remember(server, settings, url);
    }
}
