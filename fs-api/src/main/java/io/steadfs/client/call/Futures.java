package io.steadfs.client.call;

import io.steadfs.error.FsException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes futures that depend on another future, the source. If a caller cancels the dependent future, the source is
 * cancelled too. A dependent future fails with the source's exception, without a {@code CompletionException} around the
 * exception.
 */
public final class Futures {
    private Futures() {}

    /** A function that may fail with an {@link FsException}. */
    public interface Step<A, B> {
        B apply(A value) throws FsException;
    }

    /**
     * Runs the action when the source is done. The action gets the value, or else the failure. Like the method
     * {@code whenComplete} of the source, but makes no exception. If the source has failed, {@code whenComplete} makes
     * a {@code CompletionException} with a stack trace, even if nobody looks at the exception.
     */
    public static <A> void whenDone(CompletableFuture<A> source, BiConsumer<A, Throwable> action) {
        var unused = source.handle((value, failure) -> {
            action.accept(value, failure);
            return true;
        });
    }

    public static <A, B> CompletableFuture<B> map(CompletableFuture<A> source, Step<A, B> step) {
        CompletableFuture<B> result = new CompletableFuture<>();
        linkCancel(result, source);
        whenDone(source, (value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrap(failure));
                return;
            }
            try {
                result.complete(step.apply(value));
            } catch (FsException | RuntimeException | OutOfMemoryError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Passes the value of the source to the given consumer, and completes without a value. */
    public static <A> CompletableFuture<Void> done(CompletableFuture<A> source, Consumer<A> last) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        linkCancel(result, source);
        whenDone(source, (value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrap(failure));
            } else {
                last.accept(value);
                result.complete(null);
            }
        });
        return result;
    }

    public static <A, B> CompletableFuture<B> then(CompletableFuture<A> source, Step<A, CompletableFuture<B>> step) {
        CompletableFuture<B> result = new CompletableFuture<>();
        linkCancel(result, source);
        whenDone(source, (value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrap(failure));
                return;
            }
            try {
                forward(step.apply(value), result);
            } catch (FsException | RuntimeException | OutOfMemoryError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /**
     * Completes with the value of the source. If the source fails with an {@link FsException}, the function may supply
     * another value.
     */
    public static <A> CompletableFuture<A> orElse(
            CompletableFuture<A> source, Function<FsException, Optional<A>> instead) {
        return orElseThen(source, refused -> instead.apply(refused).map(CompletableFuture::completedFuture));
    }

    /**
     * Completes with the value of the source. If the source fails with an {@link FsException}, the function may supply
     * another future.
     */
    public static <A> CompletableFuture<A> orElseThen(
            CompletableFuture<A> source, Function<FsException, Optional<CompletableFuture<A>>> instead) {
        CompletableFuture<A> result = new CompletableFuture<>();
        linkCancel(result, source);
        whenDone(source, (value, failure) -> {
            if (failure == null) {
                result.complete(value);
                return;
            }
            Throwable cause = unwrap(failure);
            Optional<CompletableFuture<A>> other =
                    cause instanceof FsException refused ? instead.apply(refused) : Optional.empty();
            other.ifPresentOrElse(next -> forward(next, result), () -> result.completeExceptionally(cause));
        });
        return result;
    }

    /** Completes the target with the source's value or failure. */
    public static <B> void forward(CompletableFuture<B> source, CompletableFuture<B> target) {
        linkCancel(target, source);
        whenDone(source, (value, failure) -> {
            if (failure != null) {
                target.completeExceptionally(unwrap(failure));
            } else {
                target.complete(value);
            }
        });
    }

    private static void linkCancel(CompletableFuture<?> result, CompletableFuture<?> source) {
        whenDone(result, (value, failure) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }

    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
