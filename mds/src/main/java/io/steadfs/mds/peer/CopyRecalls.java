package io.steadfs.mds.peer;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.mds.copy.GivenCopies;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Sends recalls of copies to the shards that have them. */
public record CopyRecalls(Peers peers, Supplier<ClusterMap> cluster) implements GivenCopies.Recaller {
    @Override
    public boolean isAlone() {
        return ShardCounts.of(cluster.get()).isOne();
    }

    @Override
    public CompletableFuture<Boolean> recall(int holder, RecallCopiesRequest request) {
        return peers.send(holder, Kind.RECALL_COPIES, "recall copies", Caller.getDefaultInstance(), request)
                .thenApply(reply -> {
                    reply.payload().release();
                    return reply.isOk();
                });
    }
}
