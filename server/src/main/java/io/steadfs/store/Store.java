package io.steadfs.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Durable tables of one owner. */
public interface Store extends AutoCloseable {
    /** The committed state, always the newest; from any thread. */
    ReadView committed();

    /** The committed state of this moment; close it. From any thread. */
    Snapshot snapshot();

    /**
     * As {@link #snapshot}, and cheaper for few rows that were read lately. But while changes are committed any read of it may
     * throw {@link MovedOnException}; then all is to be read anew, from a snapshot.
     */
    default Snapshot glance() {
        return snapshot();
    }

    /** An empty overlay over the committed state. */
    Overlay overlay();

    /**
     * Applies all changes of the overlay, all or nothing, also across a crash. With {@code sync} they are on stable
     * storage on return; without it they are lost at most together with everything committed later. A failed commit
     * leaves unknown what the disk kept: the owner stops.
     *
     * @param overlay one of this store, over its committed state; it gets no more changes
     */
    void commit(Overlay overlay, boolean sync) throws IOException;

    /** Files that hold committed rows at present, by name; of a store without files, none. From any thread. */
    default List<StoreFile> files() {
        return List.of();
    }

    /** Reads a file from the disk and compares it with its checksums; empty where it is sound, or is not needed any more. */
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
