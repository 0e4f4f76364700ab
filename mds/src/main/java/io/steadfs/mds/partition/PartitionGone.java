package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the shard no longer holds the partition. */
public record PartitionGone(Handle directory, int partition) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.PARTITION, Partitions.key(directory, partition));
    }
}
