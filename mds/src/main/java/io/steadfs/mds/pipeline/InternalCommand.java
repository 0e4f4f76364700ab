package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;

/**
 * A command of the server itself. Its future completes on one of the writer's threads once the batch is committed; with {@link
 * FsException} if the command was dropped, so that nothing was done.
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
