package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The datafiles as readers may see them. For a datafile that a lane has open, that is the view which the lane published last. For the
 * others it is the state in the store. A lane commits before it forgets a view, so a reader always finds one of the two. Thread-safe; as
 * large as the lanes' open datafiles together.
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

    /** Called by the lane that owns the datafile. */
    public void publish(DatafileView view) {
        published.put(view.handle(), view);
    }

    /** Called by the lane that owns the datafile, when the store holds everything that readers may see. */
    public void forget(Handle datafile) {
        published.remove(datafile);
    }

    /** From now on every look-up throws {@link StoreClosedException}, because another life of the server may change the files. */
    public void close() {
        closed = true;
        published.clear();
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreClosedException(store.toString());
        }
    }

    /** Finds a datafile whose visible bytes are in memory; reads neither store nor disk. It sees what {@link #find} sees. */
    public Optional<DatafileView> findInMemory(Handle datafile) {
        return Optional.ofNullable(published.get(datafile))
                .filter(view -> view.small().isPresent());
    }

    /** Finds a datafile. Sees every write that was answered before. */
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

    /**
     * Looks again for a datafile that was not found. It may still not exist, or be leased and not made yet. If it was made since, it is
     * looked up anew.
     */
    private Optional<DatafileView> findUnmade(Handle datafile) throws UnreadableDatafileException {
        Optional<DatafileRow> row = DatafileRows.findLeased(store.committed(), datafile, handlesOnly);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        return row.get().isUnattached() ? Optional.of(DatafileView.unmade(datafile)) : find(datafile);
    }

    /** Does the same as {@link #find}, without the bytes of small datafiles. */
    public Optional<DatafileView> findFacts(Handle datafile) throws UnreadableDatafileException {
        checkOpen();
        DatafileView view = published.get(datafile);
        if (view != null) {
            return Optional.of(view);
        }
        return DatafileRows.findLeased(store.committed(), datafile, handlesOnly)
                .map(row -> DatafileView.facts(datafile, row));
    }

    /** The place of the rows, for messages to the operator. */
    public String place() {
        return store.toString();
    }

    /** The store, for {@link DatafileView#checksums}. */
    public ReadView committed() {
        return store.committed();
    }
}
