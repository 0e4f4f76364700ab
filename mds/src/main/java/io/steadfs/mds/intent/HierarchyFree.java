package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that no intent holds the right to move directories any more. */
public record HierarchyFree() implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INTENT, IntentKeys.hierarchy());
    }
}
