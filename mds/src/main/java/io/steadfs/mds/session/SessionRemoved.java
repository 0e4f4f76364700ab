package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the shard keeps nothing about the session any more. */
public record SessionRemoved(long session) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, Sessions.key(session));
        view.delete(ShardTables.SESSION, FileCount.key(session));
    }
}
