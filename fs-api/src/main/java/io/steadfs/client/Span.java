package io.steadfs.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A range of a file that was fetched or is being fetched, with a count of its users; the last one gives the bytes back,
 * at once or when they arrive. The count is guarded by the reader's lock.
 */
final class Span {
    final long start;
    final long end;
    final CompletableFuture<List<Piece>> pieces;
    /** Fetched before anybody read: a failure of it is nobody's, and a read that meets one asks again. */
    final boolean early;
    /** Number of the read that used it last. */
    long lastUse;

    private int users = 1;

    /** Counts the maker as the first user. */
    Span(long start, long end, CompletableFuture<List<Piece>> pieces) {
        this(start, end, pieces, false);
    }

    Span(long start, long end, CompletableFuture<List<Piece>> pieces, boolean early) {
        this.start = start;
        this.end = end;
        this.pieces = pieces;
        this.early = early;
    }

    long length() {
        return end - start;
    }

    void use() {
        users++;
    }

    void release() {
        users--;
        if (users == 0) {
            var unused = pieces.whenComplete((fetched, failure) -> {
                if (fetched != null) {
                    fetched.forEach(Piece::release);
                }
            });
        }
    }
}
