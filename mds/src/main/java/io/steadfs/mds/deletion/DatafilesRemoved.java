package io.steadfs.mds.deletion;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * Records that the IO servers need not remove the given datafiles any more. The IO server of each datafile has said
 * that the datafile is gone or belongs to another metafile.
 */
public record DatafilesRemoved(List<QueuedDatafile> datafiles) implements LogRecord {
    public DatafilesRemoved {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (QueuedDatafile datafile : datafiles) {
            view.delete(ShardTables.DELETION, DeletionQueue.datafileKey(datafile));
        }
    }
}
