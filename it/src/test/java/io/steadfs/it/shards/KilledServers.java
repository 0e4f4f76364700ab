package io.steadfs.it.shards;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Clusters whose servers are killed while clients work, and their clients. */
final class KilledServers {
    private static final Map<String, String> SETTINGS = Map.of(
            "stead.session.duration", "20000",
            "stead.io.lease.duration", "2000",
            "stead.io.lease.check.interval", "100",
            // A server that stands still, or starts anew, stays in the membership.
            "stead.zookeeper.session.timeout", "300000",
            "stead.client.operation.timeout", "300000");

    private KilledServers() {}

    static ProcessCluster.Builder in(Path directory) {
        ProcessCluster.Builder builder = ProcessCluster.in(directory);
        SETTINGS.forEach(builder::set);
        return builder;
    }

    static List<SteadClient> connect(ProcessCluster cluster, int count) {
        List<ServerAddress> servers = List.of(cluster.addressOf("mds-1"), cluster.addressOf("mds-2"));
        List<SteadClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(SteadClient.connect(
                    Settings.of(SETTINGS),
                    servers,
                    Caller.newBuilder().setUser(System.getProperty("user.name")).build()));
        }
        return clients;
    }

    /** Kills a server, and starts it again. */
    static void kill(ProcessCluster cluster, String server) throws IOException {
        cluster.killServer(server);
        cluster.startServer(server);
    }
}
