package io.steadfs.mds.peer;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.config.ConfigKey;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Sends messages to the other shards of the file system, which are addressed by their numbers. The newest cluster map
 * gives the server of each shard. A shard of the same process gets its messages in the same way. Thread-safe.
 */
public final class PeerShards implements Peers {
    public static final ConfigKey<Long> TIMEOUT = ConfigKey.number(
            "stead.mds.peer.timeout",
            5000,
            10,
            600_000,
            "milliseconds",
            "How long a metadata shard waits for another one's answer before it counts as not reachable.");

    private final Transport transport;
    private final Supplier<ClusterMap> cluster;
    private final long timeoutMillis;

    public PeerShards(Transport transport, Supplier<ClusterMap> cluster, long timeoutMillis) {
        this.transport = transport;
        this.cluster = cluster;
        this.timeoutMillis = timeoutMillis;
    }

    /**
     * Sends a request as {@link Peers} describes. The result completes on the transport's thread. The receiver owns the
     * reply's payload.
     */
    @Override
    public CompletableFuture<Reply> send(int shard, Kind kind, String step, Caller caller, MessageLite body) {
        return send(0, shard, kind, step, caller, body);
    }

    @Override
    public Peers of(long traceId) {
        return (shard, kind, step, caller, body) -> send(traceId, shard, kind, step, caller, body);
    }

    private CompletableFuture<Reply> send(
            long traceId, int shard, Kind kind, String step, Caller caller, MessageLite body) {
        ClusterMap map = cluster.get();
        Optional<ServerAddress> server = ShardAddresses.find(map, shard);
        if (server.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.refused(
                    kind,
                    FsError.UNREACHABLE,
                    "shard " + shard + " has no address in the cluster map of epoch " + map.getEpoch()));
        }
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setEpoch(map.getEpoch())
                .setTraceId(traceId)
                .setStep(step)
                .setDeadlineMillis((int) timeoutMillis)
                .setCaller(caller)
                .setShard(shard + 1)
                .build();
        return transport.send(server.get(), new Request(kind, header, body, Payload.EMPTY), timeoutMillis);
    }
}
