package io.steadfs.mds.datafile;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/** Records that metafiles of this shard list the given datafiles. */
public record DatafilesListed(List<ListedDatafile> datafiles) implements LogRecord {
    public DatafilesListed {
        datafiles = List.copyOf(datafiles);
    }

    @Override
    public void replay(WriteView view) {
        for (ListedDatafile listed : datafiles) {
            view.put(ShardTables.DATAFILE, Keys.of(listed.datafile().value()), ListedDatafiles.encode(listed));
        }
    }
}
