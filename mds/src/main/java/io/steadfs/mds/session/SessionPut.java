package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records the present values of the session. */
public record SessionPut(Session session) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, Sessions.key(session.id()), Sessions.encode(session));
    }
}
