package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** The IO servers acknowledged that these datafiles are gone. */
public record DatafilesRemoved(List<Handle> datafiles) implements LogRecord {
    public DatafilesRemoved {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (Handle datafile : datafiles) {
            view.delete(ShardTables.DELETION, DeletionQueue.datafileKey(datafile));
        }
    }
}
