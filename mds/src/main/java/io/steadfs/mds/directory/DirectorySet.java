package io.steadfs.mds.directory;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.TypedRow;
import io.steadfs.store.WriteView;

/** Records that the directory exists, and sets its row. */
public record DirectorySet(Handle handle, DirectoryRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INODE, Keys.of(handle.value()), TypedRow.encode(Directories.TYPE, row));
    }
}
