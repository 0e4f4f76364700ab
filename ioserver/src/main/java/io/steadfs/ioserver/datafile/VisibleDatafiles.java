package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The datafiles as readers may see them. If a lane has a datafile open, readers see the view that the lane published
 * last. If no lane has the datafile open, readers see the state in the store. A lane commits before it forgets a view,
 * so a reader always finds the view or the committed state. There are at most as many views as the lanes have open
 * datafiles. Thread-safe.
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

    /** Publishes a view. Called by the lane that owns the datafile. */
    public void publish(DatafileView view) {
        published.put(view.handle(), view);
    }

    /**
     * Forgets the view of a datafile. The lane that owns the datafile calls this method after the store has everything
     * that readers may see.
     */
    public void forget(Handle datafile) {
        published.remove(datafile);
    }

    /**
     * Closes this object. Every later look-up throws {@link StoreClosedException}, because another life of the server
     * may change the files.
     */
    public void close() {
        closed = true;
        published.clear();
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreClosedException(store.toString());
        }
    }

    /**
     * Finds a datafile if its visible bytes are in memory. Reads neither the store nor the disk. The result is the same
     * as that of {@link #find}.
     */
    public Optional<DatafileView> findInMemory(Handle datafile) {
        return Optional.ofNullable(published.get(datafile))
                .filter(view -> view.small().isPresent());
    }

    /** Finds a datafile. The result contains every write that was answered before the call. */
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
     * Looks again for a datafile that was not found. Either the datafile does not exist, or it is leased and not made
     * yet. If the datafile has been made meanwhile, this method starts the look-up anew.
     */
    private Optional<DatafileView> findUnmade(Handle datafile) throws UnreadableDatafileException {
        Optional<DatafileRow> row = DatafileRows.findLeased(store.committed(), datafile, handlesOnly);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        return row.get().isUnattached() ? Optional.of(DatafileView.unmade(datafile)) : find(datafile);
    }

    /** Finds a datafile as {@link #find} does, but without the bytes of a small datafile. */
    public Optional<DatafileView> findFacts(Handle datafile) throws UnreadableDatafileException {
        checkOpen();
        DatafileView view = published.get(datafile);
        if (view != null) {
            return Optional.of(view);
        }
        return DatafileRows.findLeased(store.committed(), datafile, handlesOnly)
                .map(row -> DatafileView.facts(datafile, row));
    }

    /** The place of the rows, for messages to operators. */
    public String place() {
        return store.toString();
    }

    /** The rows of the store, for {@link DatafileView#checksums}. */
    public ReadView committed() {
        return store.committed();
    }
}
