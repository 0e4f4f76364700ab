package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The session made the metafile, which has no name yet. */
public record FileUnlinked(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, UnlinkedFiles.key(session, metafile), new byte[0]);
    }
}
