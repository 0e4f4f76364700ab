package io.steadfs.client.write;

import io.steadfs.client.call.Turns;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the writing of a file with the first error. The first error is final. After an error, the client gives the file
 * up, so that the servers recover the file at once. If the error says that the file no longer belongs to this writer,
 * the client does not give the file up. Any thread may call {@link #error}. All other methods must be called in the
 * writer's turn.
 *
 * <p>Only the error NO_SUCH_DATAFILE is not final, because the whole file is probably gone. After NO_SUCH_DATAFILE, the
 * client first gives the file up. The answer of the file's shard decides which error is final. Until the shard answers,
 * errors of other columns are ignored, because their cause is the same.
 */
final class WriteFailure {
    private final SessionFile file;
    private final Turns turns;
    private final Supplier<List<CompletableFuture<Void>>> letGo;
    private final Runnable whenOver;

    private volatile @Nullable FsException error;
    /**
     * Whether the client is asking the shard for the cause of an error. Until the shard answers, nothing else is sent.
     */
    private boolean asking;
    /** Whether the client is closing. A closing client asks the shard for no cause. */
    private boolean leaving;

    /**
     * @param letGo releases the memory of the writer, and returns the futures of all waiting callers
     * @param whenOver called once after an error, outside the turn
     */
    WriteFailure(SessionFile file, Turns turns, Supplier<List<CompletableFuture<Void>>> letGo, Runnable whenOver) {
        this.file = file;
        this.turns = turns;
        this.letGo = letGo;
        this.whenOver = whenOver;
    }

    /** The error that has ended the writing; null if no error has ended the writing. */
    @Nullable
    FsException error() {
        return error;
    }

    /** Whether the writing has ended with an error. */
    boolean isFinal() {
        return error != null;
    }

    /** Whether an error has occurred, final or not. After an error, nothing may be sent. */
    boolean hasBegun() {
        return error != null || asking;
    }

    /** Ends the writing with an error. The message says what happened, and at which place in the file. */
    void fail(FsError code, String message) {
        String subject = file.subject();
        fail(new FsException(code, message.startsWith(subject) ? message : subject + ": " + message));
    }

    /** Ends the writing, because a request failed. */
    void failAfter(@Nullable Throwable refused) {
        fail(file.asFsException(refused));
    }

    private void fail(FsException failure) {
        if (error == null && !leaving && (asking || failure.error() == FsError.NO_SUCH_DATAFILE)) {
            askWhy(failure);
        } else {
            end(failure);
        }
    }

    /**
     * Ends the writing without giving the file up. The session ends, and the servers then recover the file in its
     * present state.
     */
    void leave() {
        if (error == null) {
            leaving = true;
            fail(FsError.CANCELLED, "given up: the client was closed");
        }
    }

    private void askWhy(FsException failure) {
        if (!asking) {
            asking = true;
            file.abandonAndTell(failure, cause -> turns.bring(() -> end(file.asFsException(cause))));
        }
    }

    private void end(FsException failure) {
        if (error != null) {
            return;
        }
        error = failure;
        List<CompletableFuture<Void>> failed = letGo.get();
        boolean giveUp = !leaving && !asking && mayBeOurs(failure.error());
        turns.afterwards(() -> {
            if (giveUp) {
                var unused = file.abandon();
            }
            failed.forEach(future -> future.completeExceptionally(failure));
            whenOver.run();
        });
    }

    /** Whether the file may still belong to this writer. */
    private static boolean mayBeOurs(FsError error) {
        return switch (error) {
            case STALE_GENERATION, NOT_WRITER, SESSION_EXPIRED, NOT_FOUND -> false;
            default -> true;
        };
    }
}
