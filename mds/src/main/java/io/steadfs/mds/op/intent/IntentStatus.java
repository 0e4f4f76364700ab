package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusReply.State;
import io.steadfs.wire.proto.IntentStatusRequest;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers the outcome of one slot of an intent that this shard coordinates. The reply also has the number below which
 * all intents of this shard are closed.
 */
public final class IntentStatus implements Query<IntentStatusRequest> {
    private final LongSupplier lowestOpen;

    /** @param lowestOpen gives the number below which all intents of this shard are closed */
    public IntentStatus(LongSupplier lowestOpen) {
        this.lowestOpen = lowestOpen;
    }

    @Override
    public Reply answer(IntentStatusRequest request, Principal principal, ReadView view, Inputs inputs) {
        long number = request.getIntent();
        if (number < 1 || number >= Intents.next(view)) {
            return Reply.refused(
                    Kind.INTENT_STATUS,
                    FsError.INVALID_ARGUMENT,
                    "shard " + inputs.shard() + " had no intent " + Long.toUnsignedString(number));
        }
        Optional<IntentRow> row = Intents.find(view, number);
        return Reply.ok(IntentStatusReply.newBuilder()
                .setState(row.isEmpty() ? forgotten(view) : state(row.get(), request.getSlot()))
                .setLowestOpen(lowestOpen.getAsLong())
                .build());
    }

    /**
     * The state of an intent that has no row. On a settled shard, an intent without a row was finished and forgotten. A
     * shard that may have lost rows cannot tell whether the intent was finished or lost.
     */
    private static State forgotten(ReadView view) {
        return Unsettled.of(view, ShardTables.META).isPresent() ? State.STATE_UNSPECIFIED : State.FORGOTTEN;
    }

    private static State state(IntentRow row, int slot) {
        if (row.getState() == IntentRow.State.OPEN) {
            return State.OPEN;
        }
        boolean commits =
                slot >= 0 && slot < row.getSlotsCount() && row.getSlots(slot).getCommit();
        return commits ? State.COMMITTED : State.UNDONE;
    }
}
