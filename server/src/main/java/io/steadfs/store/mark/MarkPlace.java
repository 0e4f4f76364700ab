package io.steadfs.store.mark;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the newest mark of one store is kept outside its directory. From any thread. */
public interface MarkPlace {
    /**
     * Empty if there is none.
     *
     * @throws IOException if nobody can say
     */
    Optional<StoreMark> read() throws IOException;

    /** Replaces the mark; returns at once. Completes when it is there, or exceptionally: then it is to be left again. */
    CompletableFuture<Void> leave(StoreMark mark);
}
