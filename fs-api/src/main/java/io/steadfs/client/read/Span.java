package io.steadfs.client.read;

import io.steadfs.rpc.EarlyCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file whose bytes the client has fetched or is fetching. A span counts its users. When the last user
 * releases the span, the span gives back its bytes and their memory. If the fetch is still under way, the span gives
 * back bytes and memory after the fetch has ended. The reader's lock guards the count of users.
 */
final class Span {
    final long start;
    final long end;
    final CompletableFuture<List<Piece>> pieces;
    /**
     * The request, if the fetch began before any read; otherwise null. The failure of an early fetch is not reported to
     * anybody. If a read meets the failure, the read fetches the bytes again.
     */
    final @Nullable EarlyCall early;
    /** Number of the read that used this span last. */
    long lastUse;

    private final Runnable whenGone;
    private int users = 1;

    /**
     * Makes a span with one user, the caller.
     *
     * @param whenGone task that runs once, after the span has given back its bytes
     */
    Span(long start, long end, CompletableFuture<List<Piece>> pieces, @Nullable EarlyCall early, Runnable whenGone) {
        this.start = start;
        this.end = end;
        this.pieces = pieces;
        this.early = early;
        this.whenGone = whenGone;
    }

    long length() {
        return end - start;
    }

    /** Whether the span has only one user, the reader that keeps the span. */
    boolean isIdle() {
        return users == 1;
    }

    void use() {
        users++;
        want();
    }

    /** Tells that somebody waits for the bytes, or for their memory. */
    void want() {
        if (early != null) {
            early.want();
        }
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
