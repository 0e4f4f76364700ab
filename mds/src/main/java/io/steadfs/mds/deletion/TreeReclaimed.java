package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the directory and its contents have been removed. */
public record TreeReclaimed(Handle directory) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.DELETION, DeletionQueue.treeKey(directory));
    }
}
