package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The session no longer writes the metafile, because the file was closed or removed, or is to be recovered. */
public record FileReleased(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, OpenFiles.key(session, metafile));
    }
}
