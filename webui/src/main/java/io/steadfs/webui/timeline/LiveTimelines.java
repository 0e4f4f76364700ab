package io.steadfs.webui.timeline;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.timeline.CreateProbe;
import io.steadfs.timeline.Gathering;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Makes timelines of a real cluster. */
public final class LiveTimelines implements Timelines {
    /** The largest number of messages that one request reads from each server. */
    private static final int MOST_MESSAGES = 4_000;
    /**
     * The number of creates before the create that the timeline shows. After these creates, the client behaves like a
     * client that has worked for some time.
     */
    private static final int WARM_UP = 8;

    private static final Map<String, String> IMPATIENT =
            Map.of("stead.client.operation.timeout", "10000", "stead.client.name", "probe of the web interface");

    private final SteadFs fs;
    private final Caller caller;
    private final Gathering gathering;

    public LiveTimelines(Transport transport, SteadFs fs, Caller caller, Clock clock) {
        this.fs = fs;
        this.caller = caller;
        this.gathering = new Gathering(transport, clock);
    }

    @Override
    public RecentOperations recent() throws FsException {
        return gathering.operations(fs.clusterMap(), MOST_MESSAGES);
    }

    @Override
    public Timeline of(long traceId) throws FsException {
        return gathering.timeline(fs.clusterMap(), traceId, List.of());
    }

    @Override
    public Timeline probe(ProbedProtocol protocol, int columns) throws IOException {
        Map<String, String> settings = new HashMap<>(IMPATIENT);
        settings.putAll(protocol.settings());
        FsPath folder = FsPath.ROOT.child(".stead-timeline-" + UUID.randomUUID());
        try (SteadClient client = SteadClient.connect(Settings.of(settings), metadataServers(), caller);
                CreateProbe probe = new CreateProbe(client, client.recent(), gathering, folder, columns)) {
            probe.prepare(WARM_UP);
            probe.create();
            return probe.timeline();
        }
    }

    private List<ServerAddress> metadataServers() throws FsException {
        ClusterMap map = fs.clusterMap();
        return map.getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.MDS && server.getPort() != 0)
                .map(server -> ShardAddresses.of(map, server))
                .toList();
    }
}
