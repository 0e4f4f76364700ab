package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The shard holds this partition of the directory, with this row. */
public record PartitionSet(Handle directory, int partition, PartitionRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.PARTITION, Partitions.key(directory, partition), row.toByteArray());
    }
}
