package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** This is held for the slot until its coordinator says what became of it. */
public record SlotPrepared(SlotId id, PreparedRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.prepared(id.coordinator(), id.intent(), id.slot()), row.toByteArray());
    }
}
