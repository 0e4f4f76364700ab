package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** The replies to these requests are no longer kept. */
public record RepliesPruned(long session, List<Long> requestIds) implements LogRecord {
    public RepliesPruned {
        requestIds = List.copyOf(requestIds);
    }

    @Override
    public void replay(WriteView view) {
        for (long requestId : requestIds) {
            view.delete(ShardTables.SESSION, RecordedReplies.key(session, requestId));
        }
    }
}
