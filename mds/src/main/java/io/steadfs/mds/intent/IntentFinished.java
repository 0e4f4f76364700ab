package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The intent of that coordinator was finished here. A later prepare of it comes too late. */
public record IntentFinished(int coordinator, long intent) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.finished(coordinator, intent), new byte[0]);
    }
}
