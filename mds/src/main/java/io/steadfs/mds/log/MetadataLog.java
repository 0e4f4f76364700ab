package io.steadfs.mds.log;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import java.io.IOException;
import java.util.List;

/** Where a shard's batches become durable, and the state that they lead to. */
public interface MetadataLog {
    /** The state of all appended batches, always the newest; from any thread. */
    ReadView committed();

    /** The state of all batches appended until now, fixed; from any thread. The caller closes it. */
    Store.Snapshot snapshot();

    /** As {@link #snapshot}, of a store that may know a cheaper way: {@link Store#glance}. */
    Store.Snapshot glance();

    /** An empty overlay over the committed state, for the next batch. The caller closes it. */
    Overlay begin();

    /**
     * Makes one batch durable and part of the committed state, all or nothing, also across a crash.
     *
     * @param records of the batch, in the order decided
     * @param batch the overlay into which they were replayed, in that order; what lies below it is appended
     * @throws IOException if that failed; then nobody knows what the disk kept, and nothing may be appended after it
     */
    void append(List<LogRecord> records, Overlay batch) throws IOException;
}
