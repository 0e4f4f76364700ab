package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.WriteView;
import io.steadfs.wire.Kind;

/** Records the reply to a leg. The reply has no payload. */
public record ReplyRecorded(long session, Leg leg, Kind kind, Reply reply) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, RecordedReplies.key(session, leg), RecordedReplies.encode(kind, reply));
    }
}
