package io.steadfs.mds.duty;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Sends requests of duties to IO servers. The newest cluster map gives the address of an IO server by its id. */
public final class IoServers {
    public static final ConfigKey<Long> TIMEOUT = ConfigKey.number(
            "stead.mds.io.timeout",
            20_000,
            10,
            600_000,
            "milliseconds",
            "How long a metadata server waits for an IO server to remove or seal datafiles before it tries again.");

    private final Transport transport;
    private final Supplier<ClusterMap> cluster;
    private final long timeoutMillis;

    public IoServers(Transport transport, Supplier<ClusterMap> cluster, long timeoutMillis) {
        this.transport = transport;
        this.cluster = cluster;
        this.timeoutMillis = timeoutMillis;
    }

    /**
     * Sends a request. If the server is not in the map, the reply is UNREACHABLE. The result completes on the
     * transport's thread.
     */
    CompletableFuture<Reply> send(int server, Kind kind, String step, MessageLite body) {
        ClusterMap map = cluster.get();
        for (ClusterMap.Server each : map.getServersList()) {
            if (each.getRole() == ClusterMap.Role.IO && each.getId() == server) {
                RequestHeader header = RequestHeader.newBuilder()
                        .setKind(kind.number())
                        .setEpoch(map.getEpoch())
                        .setStep(step)
                        .build();
                return transport.send(
                        ShardAddresses.of(map, each), new Request(kind, header, body, Payload.EMPTY), timeoutMillis);
            }
        }
        return CompletableFuture.completedFuture(Reply.refused(
                kind,
                FsError.UNREACHABLE,
                "IO server " + server + " is not in the cluster map of epoch " + map.getEpoch()));
    }
}
