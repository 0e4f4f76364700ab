package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the shard counts nothing of the directory any more. */
public record CountsGone(Handle directory) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.PARTITION, PartitionKey.of(directory, 0));
    }
}
