package io.steadfs.client.write;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.RetryingCall;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.Settled;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;

/**
 * Finishes the opening of a file for writing, even if the caller no longer waits for the writer. A caller leaves after
 * a cancellation, an interrupt, or the operation timeout. After the caller has left, a shard may still execute the
 * request that opens the file. Without this class, a file that nobody waits for would have a writer that nobody closes
 * before the session ends. So the client repeats a sent request until its outcome is known or the session has ended. If
 * the shard opens the file after the caller has left, the client gives the file up. If the client has not sent the
 * request before the caller leaves, the client never sends the request.
 */
public final class Opening {
    private final CompletableFuture<StripedWriter> waiting = new CompletableFuture<>();

    /** Whether the caller has left or has received the writer. */
    boolean isOver() {
        return waiting.isDone();
    }

    /** Fails the caller's future with this error, so that the caller waits no longer. */
    void leave(FsException why) {
        waiting.completeExceptionally(why);
    }

    /**
     * The caller's future. If the caller cancels this future, the client still repeats a request that was sent already.
     */
    public CompletableFuture<StripedWriter> of(CompletableFuture<StripedWriter> opened) {
        Futures.whenDone(opened, (writer, failure) -> {
            if (failure != null) {
                waiting.completeExceptionally(Futures.unwrap(failure));
            } else if (!waiting.complete(writer)) {
                writer.nobodyWaits();
            }
        });
        return waiting;
    }

    /**
     * Decides how long the client repeats the request that opens the file. The request belongs to the given session.
     */
    RetryingCall.Audience within(Session session, Operation operation, Question question) {
        return new RetryingCall.Audience() {
            @Override
            public boolean isGone() {
                return isOver();
            }

            @Override
            public boolean mustKnow() {
                return !session.isEnded();
            }

            @Override
            public void overdue(Settled inDoubt) {
                leave(inDoubt.refusal(operation, question));
            }
        };
    }
}
