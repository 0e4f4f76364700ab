package io.steadfs.mds.op.intent;

import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * Decides that an intent is undone, unless the intent is decided already. Answers whether the intent still exists. An
 * intent that still exists is decided and must be finished.
 */
public final class UndoIntent extends InternalCommand<Boolean> {
    private final long number;

    public UndoIntent(long number) {
        this.number = number;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Optional<IntentRow> row = Intents.find(view, number);
        if (row.isEmpty()) {
            return Decision.of(false);
        }
        return row.get().getState() == IntentRow.State.OPEN
                ? Decision.of(true, IntentDecided.undone(number, row.get()))
                : Decision.of(true);
    }
}
