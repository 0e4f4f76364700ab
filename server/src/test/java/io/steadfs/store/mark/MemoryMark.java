package io.steadfs.store.mark;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A place for a mark that can be away, lose it, or go back. Used by one thread. */
public final class MemoryMark implements MarkPlace {
    private Optional<StoreMark> mark = Optional.empty();
    private boolean away;
    private boolean deaf;

    /** From now on nobody answers, or does again. */
    public void setAway(boolean isAway) {
        away = isAway;
    }

    /** From now on it answers and takes nothing, or does again. */
    public void setDeaf(boolean isDeaf) {
        deaf = isDeaf;
    }

    /** What a place has that came back from a copy of itself. */
    public void putBack(Optional<StoreMark> older) {
        mark = older;
    }

    /** What is there, also while it is away. */
    public Optional<StoreMark> there() {
        return mark;
    }

    @Override
    public Optional<StoreMark> read() throws IOException {
        if (away) {
            throw new IOException("nobody answers");
        }
        return mark;
    }

    @Override
    public CompletableFuture<Void> leave(StoreMark newest) {
        if (away || deaf) {
            return CompletableFuture.failedFuture(new IOException("nobody answers"));
        }
        mark = Optional.of(newest);
        return CompletableFuture.completedFuture(null);
    }
}
