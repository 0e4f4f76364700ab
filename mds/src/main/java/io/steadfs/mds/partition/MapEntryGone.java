package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that this shard no longer has the entry in the map of the directory. */
public record MapEntryGone(Handle directory, int partition) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.MAP, PartitionKey.of(directory, partition));
    }
}
