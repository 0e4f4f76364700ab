package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the metafile no longer awaits recovery. The metafile was recovered, or it no longer exists. */
public record RecoveryDone(Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, RecoveringFiles.key(metafile));
    }
}
