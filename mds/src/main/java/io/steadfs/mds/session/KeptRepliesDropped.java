package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** Records that replies which only this life of the shard kept are no longer kept. */
public record KeptRepliesDropped(long session, List<Leg> legs) implements LogRecord {
    public KeptRepliesDropped {
        legs = List.copyOf(legs);
    }

    @Override
    public void replay(WriteView view) {
        legs.forEach(leg -> view.delete(LifeTables.CLAIM, RecordedReplies.volatileKey(session, leg)));
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
