package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The metafile that the session made is no longer one without a name: it got a name, or was removed. */
public record FileLinked(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, UnlinkedFiles.key(session, metafile));
    }
}
