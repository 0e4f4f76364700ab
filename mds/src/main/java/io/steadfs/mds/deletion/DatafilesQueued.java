package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * Records that datafiles of a metafile are queued for removal at their IO servers.
 *
 * @param datafiles datafiles that the metafile listed; {@link Handle#NONE} stands for a column without a datafile
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
