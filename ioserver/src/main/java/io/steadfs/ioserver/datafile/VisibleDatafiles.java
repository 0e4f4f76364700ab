package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What readers may see: of datafiles that a lane has open, what the lane published last; of the others, what the store
 * holds. A lane commits before it forgets, so that a reader never falls between the two. Thread-safe; as large as the
 * lanes' open datafiles together.
 */
public final class VisibleDatafiles {
    private final Store store;
    private final HandlesOnly handlesOnly;
    private final ConcurrentHashMap<Handle, DatafileView> published = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public VisibleDatafiles(Store store, HandlesOnly handlesOnly) {
        this.store = store;
        this.handlesOnly = handlesOnly;
    }

    /** By the lane that owns the datafile. */
    public void publish(DatafileView view) {
        published.put(view.handle(), view);
    }

    /** By the lane that owns the datafile, when the store holds all that readers may see. */
    public void forget(Handle datafile) {
        published.remove(datafile);
    }

    /** From now on every look ends by {@link StoreClosedException}: another life of the server may change what is below. */
    public void close() {
        closed = true;
        published.clear();
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreClosedException(store.toString());
        }
    }

    /** A datafile of which readers see bytes that are in memory; asks neither store nor disk. Sees what {@link #find} sees. */
    public Optional<DatafileView> findInMemory(Handle datafile) {
        return Optional.ofNullable(published.get(datafile))
                .filter(view -> view.small().isPresent());
    }

    /** Sees every write that was answered before. */
    public Optional<DatafileView> find(Handle datafile) throws UnreadableDatafileException {
        checkOpen();
        DatafileView view = published.get(datafile);
        if (view != null) {
            return Optional.of(view);
        }
        try (Store.Snapshot snapshot = store.snapshot()) {
            Optional<DatafileRow> row = DatafileRows.find(snapshot, datafile);
            if (row.isPresent()) {
                return Optional.of(DatafileView.stored(datafile, row.get(), snapshot));
            }
        }
        return findUnmade(datafile);
    }

    /** A datafile that was not there: is not now either, or is leased and not made yet; or made since, then it is looked for anew. */
    private Optional<DatafileView> findUnmade(Handle datafile) throws UnreadableDatafileException {
        Optional<DatafileRow> row = DatafileRows.findLeased(store.committed(), datafile, handlesOnly);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        return row.get().isUnattached() ? Optional.of(DatafileView.unmade(datafile)) : find(datafile);
    }

    /** As {@link #find}, without the bytes of small datafiles. */
    public Optional<DatafileView> findFacts(Handle datafile) throws UnreadableDatafileException {
        checkOpen();
        DatafileView view = published.get(datafile);
        if (view != null) {
            return Optional.of(view);
        }
        return DatafileRows.findLeased(store.committed(), datafile, handlesOnly)
                .map(row -> DatafileView.facts(datafile, row));
    }

    /** Where rows are kept, for messages to the operator. */
    public String place() {
        return store.toString();
    }

    /** For {@link DatafileView#checksums}. */
    public ReadView committed() {
        return store.committed();
    }
}
