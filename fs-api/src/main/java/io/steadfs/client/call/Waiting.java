package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.rpc.Waiter;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for futures on behalf of the blocking API. If the thread is interrupted, the wait cancels the future and leaves
 * the thread's interrupt flag set. The wait then fails with {@code CANCELLED}, and the cause is the
 * {@link InterruptedException}. After an interrupt nobody knows whether the operation was done. If the result arrives
 * at the moment of the interrupt, the wait returns the result and leaves the flag set.
 *
 * <p>What is waited for is an object whose text begins the messages of failures, such as an {@link Awaited}. No text is
 * made if nothing fails.
 *
 * <p>A thread that runs an event loop must not wait, because replies come by it. Such a wait fails with an
 * {@link IllegalStateException} at once. It would never end.
 */
public final class Waiting {
    private Waiting() {}

    /** Waits for the future. An exception has the stack trace of this thread. */
    public static <T> T on(CompletableFuture<T> future, Object what) throws FsException {
        return on(future, what, Traces.WANTED);
    }

    /**
     * Sends requests and waits for their outcome. This thread may send and receive for the client meanwhile, see
     * {@link Waiter}: so whoever waits here must hold no lock that is needed to complete other futures of the client.
     */
    public static <T> T on(Supplier<CompletableFuture<T>> send, Object what, Traces traces) throws FsException {
        try (Waiter waiter = Waiter.begin()) {
            return on(waiter, send.get(), what, traces);
        }
    }

    /**
     * Waits within a wait that has begun before the requests were sent.
     *
     * @param waiter the wait; null = this thread does not run an event loop meanwhile
     */
    public static <T> T on(@Nullable Waiter waiter, CompletableFuture<T> future, Object what, Traces traces)
            throws FsException {
        if (waiter != null) {
            waiter.runUntil(future);
        }
        return on(future, what, traces);
    }

    /** As {@link #on(CompletableFuture, Object)}. An exception has a stack trace of this thread only if one is wanted. */
    public static <T> T on(CompletableFuture<T> future, Object what, Traces traces) throws FsException {
        if (!future.isDone()) {
            Waiter.checkMayWait();
        }
        Optional<Throwable> failure;
        try {
            // The future itself is not waited for, because a wait for a failed future makes an exception with a stack
            // trace.
            failure = future.handle((value, failed) -> Optional.ofNullable(failed))
                    .get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            if (!future.isCompletedExceptionally()) {
                return future.join();
            }
            throw new FsException(FsError.CANCELLED, what + ": interrupted; whether it was done is not known", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a future that cannot fail has failed", e);
        }
        if (failure.isPresent()) {
            throw toException(failure.get(), what, traces);
        }
        return future.join();
    }

    private static FsException toException(Throwable failure, Object what, Traces traces) {
        if (failure instanceof CancellationException) {
            return new FsException(FsError.CANCELLED, what + ": cancelled", failure);
        }
        Throwable cause = Futures.unwrap(failure);
        if (cause instanceof FsException refused) {
            return traces == Traces.UNWANTED ? refused : again(refused);
        }
        return new FsException(FsError.FAULT, what + ": " + cause, cause);
    }

    /**
     * Makes an exception with the stack trace of the present thread. The cause of the new exception is the given
     * exception from another thread.
     */
    public static FsException again(FsException failure) {
        return failure instanceof LinkException link
                ? link.again()
                : new FsException(failure.error(), failure.words(), failure);
    }
}
