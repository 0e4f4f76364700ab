package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The metafile no longer awaits recovery, because it was recovered or is gone. */
public record RecoveryDone(Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, RecoveringFiles.key(metafile));
    }
}
