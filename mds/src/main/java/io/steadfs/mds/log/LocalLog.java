package io.steadfs.mds.log;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.util.List;

/**
 * The log of a shard that has one copy. The log is kept in the write-ahead log of the store. A batch is committed as
 * the row changes that its records lead to. The method {@link #append} syncs the batch before it returns. So the log
 * and the state cannot differ, and a restart has nothing to replay. The {@link LifeTables} end with this object.
 */
public final class LocalLog implements MetadataLog {
    private final VolatileTables store;

    /** @param store remains the caller's, who closes the store after the last use of this log */
    public LocalLog(Store store) {
        this.store = new VolatileTables(store, LifeTables.ALL);
    }

    @Override
    public ReadView committed() {
        return store.committed();
    }

    @Override
    public Store.Snapshot snapshot() {
        return store.snapshot();
    }

    @Override
    public Store.Snapshot glance() {
        return store.glance();
    }

    @Override
    public Overlay begin() {
        return store.overlay();
    }

    @Override
    public WriteView volatileRows() {
        return store.volatileRows();
    }

    @Override
    public void append(List<LogRecord> records, Overlay batch) throws IOException {
        store.commit(batch, true);
    }
}
