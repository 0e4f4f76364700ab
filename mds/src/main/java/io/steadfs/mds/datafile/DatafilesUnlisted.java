package io.steadfs.mds.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** Records that no metafile of this shard lists the given datafiles any more. */
public record DatafilesUnlisted(List<Handle> datafiles) implements LogRecord {
    public DatafilesUnlisted {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (Handle datafile : datafiles) {
            view.delete(ShardTables.DATAFILE, Keys.of(datafile.value()));
        }
    }
}
