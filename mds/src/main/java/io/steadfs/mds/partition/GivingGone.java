package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that a directory or partition gives no names any more: they are given, or the attempt has ended. */
public record GivingGone(Handle directory) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.GIVING, Keys.of(directory.value()));
    }
}
