package io.steadfs.mds.metafile;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the metafile no longer exists. The metafile's handle is never given out again. */
public record MetafileGone(Handle handle) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INODE, Keys.of(handle.value()));
    }
}
