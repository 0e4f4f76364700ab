package io.steadfs.mds.op.intent;

import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Undoes what this shard holds for a slot of a closed intent. The coordinator will never finish the slot, because it
 * has closed the intent. Answers whether something was held for the slot.
 */
public final class UndoLostSlot extends InternalCommand<Boolean> {
    private static final Principal NOBODY = new Principal("", Set.of(), true, 0);

    private final SlotId id;

    public UndoLostSlot(SlotId id) {
        this.id = id;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        List<LogRecord> records = new ArrayList<>();
        try {
            FinishIntent.finish(id, false, new Context(NOBODY, view, inputs), records);
        } catch (Refused refused) {
            throw new IllegalStateException("what is held for " + id + " cannot be undone: " + refused.getMessage());
        }
        return new Decision<>(records, !records.isEmpty());
    }
}
