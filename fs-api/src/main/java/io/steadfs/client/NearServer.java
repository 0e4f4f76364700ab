package io.steadfs.client;

import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.wire.proto.ClusterMap;

/**
 * Finds the IO server that is near the client.
 *
 * @param host of the client, as the cluster map has it; empty where no server is near
 */
record NearServer(String host) {
    static final ConfigKey<String> HOST = ConfigKey.text(
            "stead.client.host",
            "",
            "Host name of this machine as the cluster map has it; new files then get their first column on the IO"
                    + " server of that host. Empty: any server.");

    /** Id + 1 of the one alive IO server on this host. 0 where there is none. 0 also where there are several, so that files are spread. */
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
