package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The metafile that the session made is no longer without a name: it has one, or is gone. */
public record FileLinked(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, UnlinkedFiles.key(session, metafile));
    }
}
