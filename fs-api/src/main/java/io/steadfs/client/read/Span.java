package io.steadfs.client.read;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A range of a file that was fetched or is being fetched, with a count of its users. The last user gives the bytes and their memory back,
 * at once or, if they are still being fetched, when they arrive. The count is guarded by the reader's lock.
 */
final class Span {
    final long start;
    final long end;
    final CompletableFuture<List<Piece>> pieces;
    /** Fetched before anybody read. A failure of this fetch is not reported; a read that meets it asks again. */
    final boolean early;
    /** Number of the read that used it last. */
    long lastUse;

    private final Runnable whenGone;
    private int users = 1;

    /**
     * Counts the maker as the first user.
     *
     * @param whenGone run once, after the bytes were given back
     */
    Span(long start, long end, CompletableFuture<List<Piece>> pieces, boolean early, Runnable whenGone) {
        this.start = start;
        this.end = end;
        this.pieces = pieces;
        this.early = early;
        this.whenGone = whenGone;
    }

    long length() {
        return end - start;
    }

    /** Whether only its keeper uses it. */
    boolean isIdle() {
        return users == 1;
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
                whenGone.run();
            });
        }
    }
}
