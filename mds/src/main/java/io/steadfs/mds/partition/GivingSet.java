package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that a directory or partition begins to give names to another shard. */
public record GivingSet(Handle directory, GivingRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.GIVING, Keys.of(directory.value()), row.toByteArray());
    }
}
