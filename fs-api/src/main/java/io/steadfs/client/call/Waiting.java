package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Waits for futures on behalf of the blocking API. If the thread is interrupted, the wait cancels the future and leaves
 * the thread's interrupt flag set. The wait then fails with {@code CANCELLED}, and the cause is the
 * {@link InterruptedException}. After an interrupt nobody knows whether the operation was done. If the result arrives
 * at the moment of the interrupt, the wait returns the result and leaves the flag set.
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

    /**
     * Makes an exception with the stack trace of the waiting thread. The cause of the new exception is the exception
     * from the other thread.
     */
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
