package io.steadfs.cli.counting;

import io.steadfs.admin.StatusOf;
import io.steadfs.client.SteadFs;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Asks every server of a cluster for its counters. */
public final class CounterReader {
    private final Transport transport;
    private final SteadFs fs;

    /** The reader does not close its arguments. */
    public CounterReader(Transport transport, SteadFs fs) {
        this.transport = transport;
        this.fs = fs;
    }

    /** @throws FsException if a server does not answer; the message names the server */
    public Counters read() throws FsException {
        TreeMap<String, SortedMap<String, Long>> byServer = new TreeMap<>();
        ClusterMap map = fs.clusterMap();
        for (ClusterMap.Server server : map.getServersList()) {
            String name = server.getRole().name().toLowerCase(Locale.ROOT) + "-" + server.getId();
            if (server.getAlive()) {
                ServerAddress address = ShardAddresses.of(map, server);
                byServer.put(
                        name,
                        new TreeMap<>(StatusOf.server(transport, name, address).getCountersMap()));
            }
        }
        return new Counters(byServer);
    }
}
