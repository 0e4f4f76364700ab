package io.steadfs.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Stores the durable tables of one owner, such as a shard or an IO server. */
public interface Store extends AutoCloseable {
    /** A view that always reads the newest committed state. From any thread. */
    ReadView committed();

    /** A snapshot of the committed state of this moment. The caller closes the snapshot. From any thread. */
    Snapshot snapshot();

    /**
     * A cheaper {@link #snapshot} for reads of a few rows that were read recently. If changes are committed while the
     * reader reads, any read may throw {@link MovedOnException}. The caller must then begin again with a snapshot.
     */
    default Snapshot glance() {
        return snapshot();
    }

    /** An empty overlay over the committed state. */
    Overlay overlay();

    /**
     * Applies all changes of the overlay or none, even if the process crashes. With {@code sync} the changes are
     * durable on return. Without {@code sync} a loss of power may lose the changes, but only together with all later
     * commits. After a failed commit nobody knows what the disk kept, so the owner must stop.
     *
     * @param overlay an overlay of this store over the store's committed state. The caller must not change the overlay
     *     any more
     */
    void commit(Overlay overlay, boolean sync) throws IOException;

    /**
     * The files with committed rows, in the order of their names. The list is empty for a store without files. From any
     * thread.
     */
    default List<StoreFile> files() {
        return List.of();
    }

    /**
     * Reads a file from the disk and compares its bytes with their checksums. Returns the damage; empty if the file is
     * right or the store no longer needs it.
     */
    default Optional<StoreFile> damageOf(StoreFile file) {
        return Optional.empty();
    }

    @Override
    void close();

    /** A state that never changes. */
    interface Snapshot extends ReadView, AutoCloseable {
        @Override
        void close();
    }
}
