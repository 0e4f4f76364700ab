package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the shard holds the partition of the directory, and sets the partition's row. */
public record PartitionSet(Handle directory, int partition, PartitionRow row) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.PARTITION, Partitions.key(directory, partition), row.toByteArray());
    }
}
