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
        return ask(id, "ask after lock").thenApply(IntentStatusReply::getState);
    }

    /**
     * Asks a coordinator below which number all its intents are closed; 0 if it did not tell.
     *
     * @param finished one of its intents that was finished here
     */
    public CompletableFuture<Long> lowestOpenOf(SlotId finished) {
        return ask(finished, "ask for lowest open").thenApply(IntentStatusReply::getLowestOpen);
    }

    /** What the coordinator answered; nothing at all where it refused, or is away. */
    private CompletableFuture<IntentStatusReply> ask(SlotId id, String step) {
        IntentStatusRequest request = IntentStatusRequest.newBuilder()
                .setIntent(id.intent())
                .setSlot(id.slot())
                .build();
        return peers.send(id.coordinator(), Kind.INTENT_STATUS, step, Caller.getDefaultInstance(), request)
                .thenApply(reply -> {
                    reply.payload().release();
                    return reply.isOk() && reply.body() instanceof IntentStatusReply status
                            ? status
                            : IntentStatusReply.getDefaultInstance();
                });
    }

    /** Below this number all intents of this coordinator are closed, durably. */
    public long lowestOpen() {
        long lowest = Intents.lowestOpen(committed.get(), closedBelow.get());
        return closedBelow.accumulateAndGet(lowest, Math::max);
    }

    private long lowestOpen(long intent) {
        return Math.min(intent, lowestOpen());
    }
}
