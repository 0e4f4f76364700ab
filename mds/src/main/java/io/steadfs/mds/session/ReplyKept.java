package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.WriteView;
import io.steadfs.wire.Kind;
import java.util.List;

/**
 * Records the reply to a leg that changed nothing durable, for this life of the shard. The reply has no payload.
 *
 * @param settled older legs of the session, whose answers the client has received; their replies are kept no longer
 */
public record ReplyKept(long session, Leg leg, Kind kind, Reply reply, List<Leg> settled) implements LogRecord {
    public ReplyKept {
        settled = List.copyOf(settled);
    }

    @Override
    public void replay(WriteView view) {
        settled.forEach(old -> view.delete(LifeTables.CLAIM, RecordedReplies.volatileKey(session, old)));
        view.put(LifeTables.CLAIM, RecordedReplies.volatileKey(session, leg), RecordedReplies.encode(kind, reply));
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
