package io.steadfs.store.mark;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Keeps the newest mark of a store in a place outside the store's directory. From any thread. */
public interface MarkPlace {
    /**
     * The mark in this place; empty if there is none.
     *
     * @throws IOException if the place cannot be read
     */
    Optional<StoreMark> read() throws IOException;

    /**
     * Begins to replace the mark, and returns at once. The result completes after the mark is stored. If the result
     * fails, the caller calls this method again.
     */
    CompletableFuture<Void> leave(StoreMark mark);
}
