package io.steadfs.mds.op.intent;

import io.steadfs.mds.intent.IntentClosed;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;

/** Forgets a decided intent after all participants have acknowledged it. Answers whether the intent still existed. */
public final class CloseIntent extends InternalCommand<Boolean> {
    private final long number;

    public CloseIntent(long number) {
        this.number = number;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        boolean decided = Intents.find(view, number)
                .map(row -> row.getState() == IntentRow.State.DECIDED)
                .orElse(false);
        return decided ? Decision.of(true, new IntentClosed(number)) : Decision.of(false);
    }
}
