package io.steadfs.mds.outbox;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** Records that the shard of the objects acknowledged the notices. */
public record Told(List<Notice> notices) implements LogRecord {
    public Told {
        notices = List.copyOf(notices);
    }

    @Override
    public void replay(WriteView view) {
        for (Notice notice : notices) {
            view.delete(ShardTables.OUTBOX, Outbox.key(notice));
        }
    }
}
