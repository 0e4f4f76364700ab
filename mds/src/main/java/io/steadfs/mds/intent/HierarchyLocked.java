package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the move of the slot was admitted. */
public record HierarchyLocked(SlotId slot) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.admitted(slot), new byte[0]);
    }
}
