package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** Records that the replies to the given legs are no longer kept. */
public record RepliesPruned(long session, List<Leg> legs) implements LogRecord {
    public RepliesPruned {
        legs = List.copyOf(legs);
    }

    @Override
    public void replay(WriteView view) {
        for (Leg leg : legs) {
            view.delete(ShardTables.SESSION, RecordedReplies.key(session, leg));
        }
    }
}
