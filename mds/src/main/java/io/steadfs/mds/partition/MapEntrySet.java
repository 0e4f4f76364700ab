package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records an entry of the map of a directory. */
public record MapEntrySet(Handle directory, MapEntry entry) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(
                ShardTables.MAP,
                PartitionKey.of(directory, entry.number()),
                entry.row().toByteArray());
    }
}
