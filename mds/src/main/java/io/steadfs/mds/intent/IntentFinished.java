package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that this shard finished its slots of another shard's intent. The shard refuses a later prepare of the
 * intent.
 */
public record IntentFinished(int coordinator, long intent) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.finished(coordinator, intent), new byte[0]);
    }
}
