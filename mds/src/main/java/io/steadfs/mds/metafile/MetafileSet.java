package io.steadfs.mds.metafile;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.TypedRow;
import io.steadfs.store.WriteView;

/** Records that the metafile exists, and sets its row. */
public record MetafileSet(Handle handle, MetafileRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INODE, Keys.of(handle.value()), TypedRow.encode(Metafiles.TYPE, row));
    }
}
