package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** These datafiles are to be removed at their IO servers. {@link Handle#NONE} in the list stands for nothing. */
public record DatafilesQueued(List<Handle> datafiles) implements LogRecord {
    public DatafilesQueued {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (Handle datafile : datafiles) {
            if (!datafile.isNone()) {
                view.put(ShardTables.DELETION, DeletionQueue.datafileKey(datafile), new byte[0]);
            }
        }
    }
}
