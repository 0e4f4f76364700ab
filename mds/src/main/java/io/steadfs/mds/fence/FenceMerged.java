package io.steadfs.mds.fence;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The interval with this last handle became part of another interval, which is recorded together with this. */
public record FenceMerged(Handle last) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.FENCE, Keys.of(last.value()));
    }
}
