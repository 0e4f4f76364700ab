package io.steadfs.store.mark;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A place outside the directory of a store that holds the store's newest mark. From any thread. */
public interface MarkPlace {
    /**
     * The mark; empty if there is none.
     *
     * @throws IOException if the place cannot be read
     */
    Optional<StoreMark> read() throws IOException;

    /** Replaces the mark; returns at once. The result completes when the mark is stored. If it fails, the caller leaves the mark again. */
    CompletableFuture<Void> leave(StoreMark mark);
}
