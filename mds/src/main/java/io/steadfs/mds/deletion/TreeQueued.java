package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the directory is cut off from the namespace and that its tree waits to be reclaimed. */
public record TreeQueued(Handle directory) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.DELETION, DeletionQueue.treeKey(directory), new byte[0]);
    }
}
