package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The session holds so many metafiles of this shard. */
public record FilesCounted(long session, FileCount count) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, FileCount.key(session), count.encode());
    }
}
