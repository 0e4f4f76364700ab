package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the session no longer writes the metafile. The file was closed or removed, or it awaits recovery. */
public record FileReleased(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, OpenFiles.key(session, metafile));
    }
}
