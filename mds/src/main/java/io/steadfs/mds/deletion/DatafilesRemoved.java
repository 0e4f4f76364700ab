package io.steadfs.mds.deletion;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** The IO servers acknowledged that these datafiles are gone, or do not belong to these metafiles. */
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
