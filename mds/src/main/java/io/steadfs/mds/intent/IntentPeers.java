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
 * Sends a coordinator's messages to participants, and participants' questions to coordinators. Each prepare and each
 * finish also carries a number below which all the coordinator's intents are closed.
 */
public final class IntentPeers {
    private final int shard;
    private final Peers peers;
    private final Supplier<ReadView> committed;
    private final AtomicLong closedBelow = new AtomicLong(1);

    /** @param shard number of this shard, which is the coordinator of the intents */
    public IntentPeers(int shard, Peers peers, Supplier<ReadView> committed) {
        this.shard = shard;
        this.peers = peers;
        this.committed = committed;
    }

    /**
     * Sends the prepare of a slot. The row of the intent must be durable and contain the slot.
     *
     * @param traceId trace id of the operation that waits for the answer
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

    /** Tells a participant the outcome of its slots. The coordinator's decision must be durable. */
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

    /**
     * Asks the coordinator for the outcome of a slot that this shard holds. The result is STATE_UNSPECIFIED if the
     * coordinator gave no definite answer.
     */
    public CompletableFuture<IntentStatusReply.State> status(SlotId id) {
        return ask(id, "ask after lock").thenApply(IntentStatusReply::getState);
    }

    /**
     * Asks a coordinator for its lowest open intent: all its intents with lower numbers are closed. The result is 0 if
     * the coordinator gave no answer.
     *
     * @param finished a slot of one of the coordinator's intents that this shard finished
     */
    public CompletableFuture<Long> lowestOpenOf(SlotId finished) {
        return ask(finished, "ask for lowest open").thenApply(IntentStatusReply::getLowestOpen);
    }

    /** The coordinator's answer; an empty message if the coordinator refused or did not answer. */
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

    /**
     * The lowest number of an intent of this coordinator that may be open. All its intents with lower numbers are
     * durably closed.
     */
    public long lowestOpen() {
        long lowest = Intents.lowestOpen(committed.get(), closedBelow.get());
        return closedBelow.accumulateAndGet(lowest, Math::max);
    }

    private long lowestOpen(long intent) {
        return Math.min(intent, lowestOpen());
    }
}
