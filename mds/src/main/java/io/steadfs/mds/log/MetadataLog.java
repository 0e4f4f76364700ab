package io.steadfs.mds.log;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.util.List;

/** Makes a shard's batches durable, and gives access to the committed state. */
public interface MetadataLog {
    /** The state after all appended batches. The view always shows the newest state. May be called from any thread. */
    ReadView committed();

    /**
     * A fixed snapshot of the state after all batches appended until now. The caller closes the snapshot. May be called
     * from any thread.
     */
    Store.Snapshot snapshot();

    /** Like {@link #snapshot}, but cheaper if the store has a cheaper way: {@link Store#glance}. */
    Store.Snapshot glance();

    /** An empty overlay over the committed state, for the next batch. The caller closes the overlay. */
    Overlay begin();

    /**
     * Changes rows of volatile tables at once, without an append. A restart forgets these rows. May be called from any
     * thread.
     */
    WriteView volatileRows();

    /**
     * Makes one batch durable and part of the committed state. Even after a crash, either the whole batch is there or
     * nothing of it. Rows of volatile tables are lost with a crash.
     *
     * @param records the records of the batch, in the order in which they were decided
     * @param batch the overlay into which the records were replayed in the same order; the batch below the overlay must
     *     have been appended
     * @throws IOException if the append failed; it is then unknown what the disk kept, so nothing may be appended
     *     afterwards
     */
    void append(List<LogRecord> records, Overlay batch) throws IOException;
}
