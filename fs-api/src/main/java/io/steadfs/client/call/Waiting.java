package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * How the blocking API waits. An interrupt cancels the future that is waited for, leaves the thread's interrupt flag set, and ends in
 * {@code CANCELLED} with the {@link InterruptedException} as its cause. It is then not known whether the operation was done. A result that
 * arrives at that very moment is returned as usual, with the flag set.
 */
public final class Waiting {
    private Waiting() {}

    public static <T> T on(CompletableFuture<T> future, String what) throws FsException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            if (!future.isCompletedExceptionally()) {
                return future.join();
            }
            throw new FsException(FsError.CANCELLED, what + ": interrupted; whether it was done is not known", e);
        } catch (CancellationException e) {
            throw new FsException(FsError.CANCELLED, what + ": cancelled", e);
        } catch (ExecutionException e) {
            throw toException(Futures.unwrap(e.getCause() == null ? e : e.getCause()), what);
        }
    }

    /** A fresh exception with the caller's own stack. Its cause is the exception from the other thread. */
    private static FsException toException(Throwable failure, String what) {
        if (failure instanceof FsException refused) {
            return again(refused);
        }
        return new FsException(FsError.FAULT, what + ": " + failure, failure);
    }

    public static FsException again(FsException failure) {
        return new FsException(failure.error(), failure.words(), failure);
    }
}
