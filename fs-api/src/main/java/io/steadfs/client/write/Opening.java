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
 * A file that is being opened for writing, and the caller who waits for its writer. A caller may leave: cancelled,
 * interrupted, or told after the operation timeout that the outcome is not known. The request that opens may have been
 * executed all the same, and then the file has a writer whom nobody will ever close, for as long as the session lives. So
 * what was sent goes on until its outcome is known, or the session has ended; a writer that comes then gives its file up.
 * What was not sent yet never is.
 */
public final class Opening {
    private final CompletableFuture<StripedWriter> waiting = new CompletableFuture<>();

    /** Whether the caller left, or has the writer. */
    boolean isOver() {
        return waiting.isDone();
    }

    /** The caller is told this and waits no longer. */
    void leave(FsException why) {
        waiting.completeExceptionally(why);
    }

    /** What the caller waits for; cancelling it does not cancel the opening, which goes on as said above. */
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

    /** How long the request that opens goes on, within a session. */
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
