package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records what a directory counts. */
public record CountsSet(Handle directory, CountsRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.PARTITION, PartitionKey.of(directory, 0), row.toByteArray());
    }
}
