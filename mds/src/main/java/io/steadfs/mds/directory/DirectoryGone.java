package io.steadfs.mds.directory;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The directory no longer exists, and its handle is never given out again. Other records remove its partitions and xattrs. */
public record DirectoryGone(Handle handle) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INODE, Keys.of(handle.value()));
    }
}
