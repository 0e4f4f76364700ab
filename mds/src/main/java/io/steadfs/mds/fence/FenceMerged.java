package io.steadfs.mds.fence;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that an interval became part of a larger interval. The same decision records the larger interval.
 *
 * @param last the last handle of the interval, which is the key of its row
 */
public record FenceMerged(Handle last) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.FENCE, Keys.of(last.value()));
    }
}
