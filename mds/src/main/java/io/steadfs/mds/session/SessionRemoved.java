package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The session is gone, for ever: its id is never taken again. */
public record SessionRemoved(long session) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.SESSION, Sessions.key(session));
    }
}
