package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** The directory is cut off from the namespace. The tree below it is to be reclaimed. */
public record TreeQueued(Handle directory) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.DELETION, DeletionQueue.treeKey(directory), new byte[0]);
    }
}
