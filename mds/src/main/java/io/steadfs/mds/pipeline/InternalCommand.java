package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;

/**
 * A command that the server itself makes, with a future for the answer. The future completes on a writer thread after
 * the batch is committed. If the command was dropped, nothing was done, and the future fails with {@link FsException}.
 */
public abstract class InternalCommand<A> implements Command<A> {
    private final CompletableFuture<A> outcome = new CompletableFuture<>();

    public final CompletableFuture<A> outcome() {
        return outcome;
    }

    @Override
    public final void answered(A answer) {
        outcome.complete(answer);
    }

    @Override
    public final void failed(Throwable cause) {
        outcome.completeExceptionally(cause);
    }

    @Override
    public final void dropped(FsError error, String why) {
        outcome.completeExceptionally(new FsException(error, why));
    }
}
