package io.steadfs.mds.intent;

import io.steadfs.mds.pipeline.Peers;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A coordinator's messages to participants and back. Each also says which of its intents are closed. */
public final class IntentPeers {
    private final int shard;
    private final Peers peers;
    private final Supplier<ReadView> committed;
    private final AtomicLong closedBelow = new AtomicLong(1);

    /** @param shard the coordinator */
    public IntentPeers(int shard, Peers peers, Supplier<ReadView> committed) {
        this.shard = shard;
        this.peers = peers;
        this.committed = committed;
    }

    /**
     * The intent with this slot is durable.
     *
     * @param traceId of the operation that waits
     */
    public CompletableFuture<Reply> prepare(
            int participant, long intent, int slot, PrepareAction action, long traceId) {
        return peers.of(traceId)
                .send(
                        participant,
                        Kind.PREPARE,
                        "prepare",
                        Caller.getDefaultInstance(),
                        PrepareRequest.newBuilder()
                                .setCoordinator(shard)
                                .setIntent(intent)
                                .setSlot(slot)
                                .setLowestOpen(lowestOpen(intent))
                                .setAction(action)
                                .build());
    }

    /** The intent is durably decided so. */
    public CompletableFuture<Reply> finish(int participant, long intent, List<FinishRequest.Slot> slots) {
        return peers.send(
                participant,
                Kind.FINISH,
                "finish",
                Caller.getDefaultInstance(),
                FinishRequest.newBuilder()
                        .setCoordinator(shard)
                        .setIntent(intent)
                        .setLowestOpen(lowestOpen(intent))
                        .addAllSlots(slots)
                        .build());
    }

    /** Asks the coordinator of a slot that is held here what became of it; STATE_UNSPECIFIED if it gave no definite answer. */
    public CompletableFuture<IntentStatusReply.State> status(SlotId id) {
        return peers.send(
                        id.coordinator(),
                        Kind.INTENT_STATUS,
                        "ask after lock",
                        Caller.getDefaultInstance(),
                        IntentStatusRequest.newBuilder()
                                .setIntent(id.intent())
                                .setSlot(id.slot())
                                .build())
                .thenApply(reply -> {
                    reply.payload().release();
                    return reply.isOk() && reply.body() instanceof IntentStatusReply status
                            ? status.getState()
                            : IntentStatusReply.State.STATE_UNSPECIFIED;
                });
    }

    private long lowestOpen(long intent) {
        long lowest = Intents.lowestOpen(committed.get(), closedBelow.get());
        return Math.min(intent, closedBelow.accumulateAndGet(lowest, Math::max));
    }
}
