package io.steadfs.mds.outbox;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the notice is queued for the shard of its object. */
public record NoticeQueued(Notice notice) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.OUTBOX, Outbox.key(notice), Outbox.value(notice));
    }
}
