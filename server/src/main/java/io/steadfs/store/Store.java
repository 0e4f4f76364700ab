package io.steadfs.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Durable tables of one owner. */
public interface Store extends AutoCloseable {
    /** The committed state, always the newest; from any thread. */
    ReadView committed();

    /** The committed state of this moment. The caller closes it. From any thread. */
    Snapshot snapshot();

    /**
     * A cheaper {@link #snapshot} for reading a few rows that were read lately. But while changes are committed, any read of it may throw
     * {@link MovedOnException}. Then everything must be read anew, from a snapshot.
     */
    default Snapshot glance() {
        return snapshot();
    }

    /** An empty overlay over the committed state. */
    Overlay overlay();

    /**
     * Applies all changes of the overlay, all or nothing, also across a crash. With {@code sync} they are on stable storage on return.
     * Without it they may be lost, but only together with everything committed later. After a failed commit it is unknown what the disk
     * kept: the owner stops.
     *
     * @param overlay one of this store, over its committed state; it gets no more changes
     */
    void commit(Overlay overlay, boolean sync) throws IOException;

    /** Files that hold committed rows at present, by name. A store without files has none. From any thread. */
    default List<StoreFile> files() {
        return List.of();
    }

    /** Reads a file from the disk and compares it with its checksums. Returns empty if it is sound, or no longer needed. */
    default Optional<StoreFile> damageOf(StoreFile file) {
        return Optional.empty();
    }

    @Override
    void close();

    /** A fixed state. */
    interface Snapshot extends ReadView, AutoCloseable {
        @Override
        void close();
    }
}
