package io.steadfs.mds;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.op.layout.AdoptFences;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ListFencesReply;
import io.steadfs.wire.proto.ListFencesRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Teaches a shard that joins the file system which handles no file may get any more. Each IO server that ended a lease
 * without this shard had asked all shards that there were, so the first shard knows each such fence. An IO server that
 * ends a lease from now on asks this shard too: it counts the shards after the fences of the others ({@code
 * ReclaimLeases}).
 */
final class FenceLearning {
    private static final int FROM = Handle.ROOT.shard();

    private final Peers peers;
    private final ShardCore core;

    FenceLearning(Peers peers, ShardCore core) {
        this.peers = peers;
        this.core = core;
    }

    /** Learns all fences. The future completes when they are durable here. It fails if the other shard does not tell them. */
    CompletableFuture<Boolean> learn() {
        return learn(Handle.NONE);
    }

    private CompletableFuture<Boolean> learn(Handle after) {
        return peers.send(
                        FROM,
                        Kind.LIST_FENCES,
                        "list fences",
                        Caller.getDefaultInstance(),
                        ListFencesRequest.newBuilder().setAfter(after.value()).build())
                .thenCompose(this::adopt);
    }

    private CompletableFuture<Boolean> adopt(Reply reply) {
        reply.payload().release();
        if (!reply.isOk() || !(reply.body() instanceof ListFencesReply page)) {
            return CompletableFuture.failedFuture(new FsException(
                    reply.error(),
                    "shard " + FROM + " does not tell its fences: "
                            + reply.header().getMessage()));
        }
        List<HandleRange> ranges = page.getRangesList().stream()
                .map(range -> new HandleRange(new Handle(range.getFirst()), new Handle(range.getLast())))
                .toList();
        AdoptFences adoption = new AdoptFences(ranges);
        core.submit(adoption);
        return adoption.outcome()
                .thenCompose(done -> page.getMore() && !ranges.isEmpty()
                        ? learn(ranges.get(ranges.size() - 1).last())
                        : CompletableFuture.completedFuture(true));
    }
}
