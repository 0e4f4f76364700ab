package io.steadfs.mds.log;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import java.io.IOException;
import java.util.List;

/** Makes a shard's batches durable, and has the state that they lead to. */
public interface MetadataLog {
    /** The state after all appended batches. It is always the newest. May be called from any thread. */
    ReadView committed();

    /** The state after all batches appended until now. It does not change. The caller closes it. May be called from any thread. */
    Store.Snapshot snapshot();

    /** Like {@link #snapshot}, but cheaper if the store knows a cheaper way: {@link Store#glance}. */
    Store.Snapshot glance();

    /** An empty overlay over the committed state, for the next batch. The caller closes it. */
    Overlay begin();

    /**
     * Makes one batch durable and part of the committed state: all of it or nothing, also across a crash.
     *
     * @param records of the batch, in the order in which they were decided
     * @param batch the overlay into which the records were replayed, in that order; the batch below it must have been
     *     appended
     * @throws IOException if the append failed; then it is unknown what the disk kept, and nothing may be appended after it
     */
    void append(List<LogRecord> records, Overlay batch) throws IOException;
}
