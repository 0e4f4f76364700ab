package io.steadfs.store.format;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the changes of one try of a {@link FormatStep} in batches of bounded size.
 *
 * <pre>
 *  first batch    says that the step has begun    \  together with changes of rows,
 *  ...                                             } each all or nothing, in this order
 *  last batch     has the new number, synced      /
 * </pre>
 *
 * Only the last batch is synced. A loss of power may lose the last batches that are not synced. The next start then
 * repeats the step. Used by one thread.
 */
public final class FormatChanges {
    static final int BATCH_ROWS = 1_000;
    static final int BATCH_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(FormatChanges.class);
    /** After each {@value #TOLD_ROWS} changed rows, a log line shows that the step is still running. */
    private static final long TOLD_ROWS = 100_000;

    private final Store store;
    private final FormatNumber number;
    private final long from;
    private final Counted counted = new Counted();
    private Overlay batch;
    private int rowsInBatch;
    private long bytesInBatch;
    private long rows;

    FormatChanges(Store store, FormatNumber number, long from) {
        this.store = store;
        this.number = number;
        this.from = from;
        this.batch = store.overlay();
        number.begin(batch, from);
    }

    /**
     * Changes rows that belong together. After a crash either all changes of the call are there or none. Rows that do
     * not belong together are changed by separate calls.
     */
    public void together(Consumer<WriteView> changed) throws IOException {
        changed.accept(counted);
        if (rowsInBatch >= BATCH_ROWS || bytesInBatch >= BATCH_BYTES) {
            commit(false);
            batch = store.overlay();
            rowsInBatch = 0;
            bytesInBatch = 0;
        }
    }

    /** Commits the rest of the changes together with the new format number. */
    void end() throws IOException {
        number.end(batch, from);
        commit(true);
        LOG.info("{} has disk format {}; {} rows of format {} were changed", store, from + 1, rows, from);
    }

    private void commit(boolean sync) throws IOException {
        store.commit(batch, sync);
        batch.close();
    }

    /** The current batch, as a format step sees it. */
    private final class Counted implements WriteView {
        @Override
        public void put(Table table, byte[] key, byte[] value) {
            batch.put(table, key, value);
            count(key.length + value.length);
        }

        @Override
        public void delete(Table table, byte[] key) {
            batch.delete(table, key);
            count(key.length);
        }

        private void count(int bytes) {
            rowsInBatch++;
            bytesInBatch += bytes;
            rows++;
            if (rows % TOLD_ROWS == 0) {
                LOG.info("{}: {} rows are changed to disk format {} so far", store, rows, from + 1);
            }
        }
    }
}
