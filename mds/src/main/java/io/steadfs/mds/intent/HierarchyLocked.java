package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the intent of the slot holds the right to move a directory. */
public record HierarchyLocked(SlotId holder) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.hierarchy(), holder.lock().toByteArray());
    }
}
