package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the session made the metafile and that the metafile has no name yet. */
public record FileUnlinked(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, UnlinkedFiles.key(session, metafile), new byte[0]);
    }
}
