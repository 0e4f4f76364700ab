package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records the decision of an intent. The row says of each slot whether the slot commits or is undone. A decision never
 * changes. The coordinator must tell the participants.
 */
public record IntentDecided(long number, IntentRow row) implements LogRecord {
    public IntentDecided {
        if (row.getState() != IntentRow.State.DECIDED) {
            throw new IllegalArgumentException("intent " + number + " is " + row.getState());
        }
    }

    /** The decision that undoes every slot that the intent prepared. */
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
