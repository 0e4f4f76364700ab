package io.steadfs.mds.dirent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the name no longer exists. */
public record DirentGone(DirentKey key) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.DIRENT, key.bytes());
    }
}
