package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusReply.State;
import io.steadfs.wire.proto.IntentStatusRequest;
import java.util.Optional;
import java.util.function.LongSupplier;

/** What became of one slot of an intent of this shard, and below which number all its intents are closed. */
public final class IntentStatus implements Query<IntentStatusRequest> {
    private final LongSupplier lowestOpen;

    /** @param lowestOpen below this number all intents are closed */
    public IntentStatus(LongSupplier lowestOpen) {
        this.lowestOpen = lowestOpen;
    }

    @Override
    public Reply answer(IntentStatusRequest request, Asker asker, ReadView view, Inputs inputs) {
        long number = request.getIntent();
        if (number < 1 || number >= Intents.next(view)) {
            return Reply.refused(
                    Kind.INTENT_STATUS,
                    FsError.INVALID_ARGUMENT,
                    "shard " + inputs.shard() + " had no intent " + Long.toUnsignedString(number));
        }
        Optional<IntentRow> row = Intents.find(view, number);
        return Reply.ok(IntentStatusReply.newBuilder()
                .setState(row.isEmpty() ? State.FORGOTTEN : state(row.get(), request.getSlot()))
                .setLowestOpen(lowestOpen.getAsLong())
                .build());
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
