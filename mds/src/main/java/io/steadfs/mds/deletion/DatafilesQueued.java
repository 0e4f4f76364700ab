package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * These datafiles, which the metafile listed, are queued for removal at their IO servers. {@link Handle#NONE} in the list
 * stands for no datafile.
 */
public record DatafilesQueued(Handle metafile, List<Handle> datafiles) implements LogRecord {
    public DatafilesQueued {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (Handle datafile : datafiles) {
            if (!datafile.isNone()) {
                view.put(
                        ShardTables.DELETION,
                        DeletionQueue.datafileKey(new QueuedDatafile(datafile, metafile)),
                        new byte[0]);
            }
        }
    }
}
