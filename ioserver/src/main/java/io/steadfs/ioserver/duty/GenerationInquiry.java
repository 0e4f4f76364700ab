package io.steadfs.ioserver.duty;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Asks a metafile's shard for the metafile's write generation. Keeps no answers. */
public final class GenerationInquiry {
    private static final long TIMEOUT_MILLIS = 10_000;

    private final Transport transport;
    private final Supplier<Optional<ClusterMap>> cluster;

    public GenerationInquiry(Transport transport, Supplier<Optional<ClusterMap>> cluster) {
        this.transport = transport;
        this.cluster = cluster;
    }

    /**
     * The write generation of the metafile; empty if the metafile does not exist. The future fails with FsException if
     * the shard did not answer.
     */
    public CompletableFuture<OptionalLong> of(Handle metafile) {
        Optional<ClusterMap> map = cluster.get();
        Optional<ServerAddress> server = map.flatMap(present -> ShardAddresses.find(present, metafile.shard()));
        if (server.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new FsException(FsError.UNREACHABLE, "shard " + metafile.shard() + " is on no server"));
        }
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.STAT_HANDLES.number())
                .setStep("ask for generation")
                .setShard(metafile.shard() + 1)
                .setEpoch(map.map(ClusterMap::getEpoch).orElse(0L))
                .build();
        StatHandlesRequest body =
                StatHandlesRequest.newBuilder().addHandles(metafile.value()).build();
        return transport
                .send(server.get(), new Request(Kind.STAT_HANDLES, header, body, Payload.EMPTY), TIMEOUT_MILLIS)
                .thenCompose(GenerationInquiry::generation);
    }

    private static CompletableFuture<OptionalLong> generation(Reply reply) {
        reply.payload().release();
        if (!reply.isOk() || !(reply.body() instanceof StatHandlesReply told)) {
            return CompletableFuture.failedFuture(
                    new FsException(reply.error(), reply.header().getMessage()));
        }
        return CompletableFuture.completedFuture(told.getAttributesList().stream()
                .filter(each -> each.getType() == FileType.FILE)
                .mapToLong(each -> each.getWriteGeneration())
                .findFirst());
    }
}
