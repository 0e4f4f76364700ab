package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that every participant has acknowledged the outcome of the intent. */
public record IntentClosed(long number) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INTENT, IntentKeys.intent(number));
    }
}
