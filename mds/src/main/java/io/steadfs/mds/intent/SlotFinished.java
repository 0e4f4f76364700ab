package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that this shard holds nothing for the slot any more. */
public record SlotFinished(SlotId id) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INTENT, IntentKeys.prepared(id.coordinator(), id.intent(), id.slot()));
    }
}
