package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * The intent is decided: the row says of each slot whether it commits or is undone, and this never changes. The participants
 * must be told.
 */
public record IntentDecided(long number, IntentRow row) implements LogRecord {
    public IntentDecided {
        if (row.getState() != IntentRow.State.DECIDED) {
            throw new IllegalArgumentException("intent " + number + " is " + row.getState());
        }
    }

    /** The decision that undoes everything that the intent prepared. */
    public static IntentDecided undone(long number, IntentRow open) {
        IntentRow.Builder row = open.toBuilder().setState(IntentRow.State.DECIDED);
        row.getSlotsBuilderList().forEach(slot -> slot.setCommit(false));
        return new IntentDecided(number, row.build());
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.intent(number), row.toByteArray());
        view.delete(ShardTables.INTENT, IntentKeys.request(row.getSession(), row.getRequestId()));
    }
}
