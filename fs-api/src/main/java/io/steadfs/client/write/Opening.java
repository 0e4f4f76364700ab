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
 * A file that is being opened for writing, and the caller who waits for its writer. The caller may leave: it was cancelled or interrupted,
 * or it was told after the operation timeout that the outcome is not known. The request may have been executed all the same. The file would
 * then have a writer that nobody ever closes, for as long as the session lives. So a request that was sent goes on until its outcome is
 * known or the session has ended. A writer that comes after the caller left gives its file up. A request that was not sent yet is never
 * sent.
 */
public final class Opening {
    private final CompletableFuture<StripedWriter> waiting = new CompletableFuture<>();

    /** Whether the caller has left, or has the writer. */
    boolean isOver() {
        return waiting.isDone();
    }

    /** Fails the caller's future with this error, so that the caller waits no longer. */
    void leave(FsException why) {
        waiting.completeExceptionally(why);
    }

    /** The caller's future. Cancelling it does not cancel the opening, which goes on as the class comment says. */
    public CompletableFuture<StripedWriter> of(CompletableFuture<StripedWriter> opened) {
        var unused = opened.whenComplete((writer, failure) -> {
            if (failure != null) {
                waiting.completeExceptionally(Futures.unwrap(failure));
            } else if (!waiting.complete(writer)) {
                writer.nobodyWaits();
            }
        });
        return waiting;
    }

    /** Decides how long the request that opens the file is repeated, within a session. */
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
