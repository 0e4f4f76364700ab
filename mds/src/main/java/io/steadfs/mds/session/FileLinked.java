package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that a metafile of the session no longer counts as unnamed. The metafile got a name, or it was removed. */
public record FileLinked(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, UnlinkedFiles.key(session, metafile));
    }
}
