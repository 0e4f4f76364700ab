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

/**
 * Sends a coordinator's messages to participants, and participants' questions to coordinators. Each prepare and each finish
 * also says below which number all the coordinator's intents are closed.
 */
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
     * Sends the prepare of a slot. The intent with this slot must be durable.
     *
     * @param traceId trace id of the operation that waits
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

    /** Tells a participant the outcome of its slots. The decision must be durable. */
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

    /** Asks the coordinator of a slot that is held here for the outcome; STATE_UNSPECIFIED if it gave no definite answer. */
    public CompletableFuture<IntentStatusReply.State> status(SlotId id) {
        return ask(id, "ask after lock").thenApply(IntentStatusReply::getState);
    }

    /**
     * Asks a coordinator below which number all its intents are closed; 0 if it gave no answer.
     *
     * @param finished one of the coordinator's intents that was finished here
     */
    public CompletableFuture<Long> lowestOpenOf(SlotId finished) {
        return ask(finished, "ask for lowest open").thenApply(IntentStatusReply::getLowestOpen);
    }

    /** The coordinator's answer; an empty message if the coordinator refused or is away. */
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

    /** All intents of this coordinator below this number are closed, durably. */
    public long lowestOpen() {
        long lowest = Intents.lowestOpen(committed.get(), closedBelow.get());
        return closedBelow.accumulateAndGet(lowest, Math::max);
    }

    private long lowestOpen(long intent) {
        return Math.min(intent, lowestOpen());
    }
}
