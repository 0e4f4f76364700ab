package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records what this shard holds for the slot until the coordinator tells the outcome. */
public record SlotPrepared(SlotId id, PreparedRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.prepared(id.coordinator(), id.intent(), id.slot()), row.toByteArray());
    }
}
