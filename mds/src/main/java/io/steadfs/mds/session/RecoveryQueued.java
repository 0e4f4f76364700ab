package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the metafile has lost its writer and awaits recovery. */
public record RecoveryQueued(Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, RecoveringFiles.key(metafile), new byte[0]);
    }
}
