package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The shard no longer holds this partition. */
public record PartitionGone(Handle directory, int partition) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.PARTITION, Partitions.key(directory, partition));
    }
}
