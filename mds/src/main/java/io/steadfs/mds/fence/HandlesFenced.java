package io.steadfs.mds.fence;

import io.steadfs.handle.HandleRange;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that no file gets a handle of the interval any more. */
public record HandlesFenced(HandleRange interval) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(
                ShardTables.FENCE,
                Keys.of(interval.last().value()),
                Keys.of(interval.first().value()));
    }
}
