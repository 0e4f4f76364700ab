package io.steadfs.mds.directory;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that the directory no longer exists. The directory's handle is never given out again. Other records remove
 * the directory's partitions and extended attributes.
 */
public record DirectoryGone(Handle handle) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INODE, Keys.of(handle.value()));
    }
}
