package io.steadfs.client;

import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.wire.proto.ClusterMap;

/**
 * Finds the IO server that runs on the client's host.
 *
 * @param host host of the client, as written in the cluster map; empty = no server is near
 */
record NearServer(String host) {
    static final ConfigKey<String> HOST = ConfigKey.text(
            "stead.client.host",
            "",
            "Host name of this machine as the cluster map has it; new files then get their first column on the IO"
                    + " server of that host. Empty: any server.");

    /**
     * Id of the only alive IO server on this host, plus 1. 0 if no alive IO server runs on this host. Also 0 if several
     * alive IO servers run on this host: new files are then spread over the servers.
     */
    int in(ClusterView cluster) {
        if (host.isEmpty()) {
            return 0;
        }
        int near = 0;
        for (ClusterMap.Server server : cluster.map().getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO
                    && server.getAlive()
                    && server.getHost().equals(host)) {
                if (near != 0) {
                    return 0;
                }
                near = server.getId() + 1;
            }
        }
        return near;
    }
}
